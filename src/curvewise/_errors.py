"""What can go wrong, each with its own class; a message is always one sentence a user can act on."""


class CurvewiseError(ValueError):
    """The input or an option cannot be used; the message says what, where, how many, what to do."""


class UndefinedMetricError(CurvewiseError):
    """The data are fine but do not define this quantity, for example when a class is absent."""


class SourceError(CurvewiseError):
    """A file or an engine cannot be read or written."""


class MissingExtraError(CurvewiseError, ImportError):
    """An optional package is needed and not installed; the message says how to install it."""


class CurvewiseWarning(UserWarning):
    """The answer is right, but something about the data deserves a second look."""
