"""A conversation with a scripted model: parallel calls, a failure, an approval, an answer."""
