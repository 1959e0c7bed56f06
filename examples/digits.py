"""A scikit-learn model of ten classes, handwritten digits: the answers, the confusions, and the report.

python examples/digits.py [digits.html]
"""

from __future__ import annotations

import sys

import polars as pl
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

import curvewise as cw

images, digits = load_digits(return_X_y=True)
images = images[:, ::3]  # a third of the pixels, so that there is something to confuse
train, test, digit, truth = train_test_split(images, digits, test_size=0.5, random_state=0, stratify=digits)
model = LogisticRegression(max_iter=200).fit(train / 16, digit)
proba = model.predict_proba(test / 16)

data = pl.DataFrame({"digit": [str(d) for d in truth], **{str(k): proba[:, k] for k in range(10)}})
data = data.with_columns(pl.Series("ink", ["much" if ink > 105 else "little" for ink in test.sum(axis=1)]))
found = cw.evaluate(data, label="digit", scores=[str(k) for k in range(10)], group="ink", replicates=200)
print(found)
print(found.classes.confused)

if len(sys.argv) > 1:
    found.report(sys.argv[1], force=True)
