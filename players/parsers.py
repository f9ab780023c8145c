"""Reads a JSON body, and refuses what is not JSON in words."""

from typing import IO, Any

import msgspec
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser


class JSONParser(BaseParser):
    """Unlike the framework's own it also survives a body nested too deep. Raises ParseError."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            return msgspec.json.decode(stream.read())
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise ParseError(f"The body is not JSON: {error}.") from None
        except RecursionError:
            raise ParseError("The body is nested too deep.") from None
