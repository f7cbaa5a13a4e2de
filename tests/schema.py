#!/usr/bin/python3
# SPDX-License-Identifier: BSD-2-Clause
"""Validates JSON documents, say summary.json of runs, against a JSON Schema; references to files beside the schema are followed.

usage: tests/schema.py SCHEMA FILE...      exit code 1 when one is not valid, or there is none
"""
import json
import pathlib
import sys

import jsonschema


def main(schema, *files):
    path = pathlib.Path(schema).resolve()
    text = json.loads(path.read_text())
    jsonschema.Draft7Validator.check_schema(text)
    validator = jsonschema.Draft7Validator(text, resolver=jsonschema.RefResolver(path.as_uri(), text))
    wrong = 0
    for file in files:
        document = json.loads(pathlib.Path(file).read_text(), parse_constant=lambda word: sys.exit(f"{file}: {word} is no JSON"))
        for error in validator.iter_errors(document):
            error = jsonschema.exceptions.best_match([error])
            print(f"{file}: {'.'.join(map(str, error.absolute_path))}: {error.message[:300]}", file=sys.stderr)
            wrong = 1
    return wrong or not files


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
