"""The rules, one a file; the table that names them all is `toolferry.linting.table`."""
