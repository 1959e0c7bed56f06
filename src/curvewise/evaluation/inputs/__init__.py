"""What an evaluation is made from, each kind of input in its file."""
