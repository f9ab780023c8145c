"""How a setting is read: from the environment, or from the file that NAME_FILE names.

What is empty is not set. What cannot be right stops the start with a sentence that names it; no
sentence shows a secret.
"""

from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

YES, NO = ("true", "on", "yes", "1"), ("false", "off", "no", "0")


class Environment(environ.FileAwareEnv):
    """The library's, but strict, and without its `$NAME` for other variables in values."""

    def get_value(
        self, var: str, cast: Any = None, default: Any = None, parse_default: bool = False
    ) -> Any:
        try:
            text = self.ENVIRON.get(var, "").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise ImproperlyConfigured(f"{var}_FILE names what cannot be read: {error}") from None
        return self.parse_value(text, cast) if text else default

    def whole(self, var: str, default: int, least: int = 0, most: int = 2**31) -> int:
        return self.read_number(int, "a whole number", var, default, least, most)

    def fraction(self, var: str, default: float, least: float = 0, most: float = 2**31) -> float:
        return self.read_number(float, "a number", var, default, least, most)

    def read_number(
        self, kind: Any, called: str, var: str, default: Any, least: Any, most: Any
    ) -> Any:
        text = self.get_value(var, default=str(default))
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            to = "or more" if most == 2**31 else f"to {most}"
            raise ImproperlyConfigured(f"{var} is {text!r}; it must be {called}, {least} {to}.")
        return value

    def switch(self, var: str, default: bool) -> bool:
        text = self.get_value(var, default=str(default)).lower()
        if text not in YES + NO:
            raise ImproperlyConfigured(f"{var} is {text!r}; it must be true or false.")
        return text in YES

    def hosts(self, var: str, default: list[str]) -> list[str]:
        """Names or addresses, with commas between."""
        found = [each.strip() for each in self.list(var, default=default)]
        for name in found:
            if not name or "/" in name or " " in name:
                raise ImproperlyConfigured(
                    f"{var} has {name!r}; name hosts like play.example.org, with commas between."
                )
        return found

    def origins(self, var: str, default: list[str]) -> list[str]:
        """Schemes and hosts, with commas between."""
        found = [each.strip() for each in self.list(var, default=default)]
        for origin in found:
            parts = urlsplit(origin)
            if (
                parts.scheme not in ("http", "https")
                or origin != f"{parts.scheme}://{parts.netloc}"
            ):
                raise ImproperlyConfigured(
                    f"{var} has {origin!r}; name origins like https://play.example.org."
                )
        return found

    def url(self, var: str, default: str, *schemes: str) -> str:
        """An address, which may hold a password."""
        text = str(self.get_value(var, default=default))
        try:
            good = not text or (urlsplit(text).scheme in schemes and urlsplit(text).port != 0)
        except ValueError:
            good = False
        if not good:
            raise ImproperlyConfigured(f"{var} is no address that begins with {schemes[0]}://.")
        return text

    def secret(self, var: str, default: str, least: int) -> str:
        """A text that nobody guesses, of so many characters at least; or none."""
        return self.hard_to_guess(var, str(self.get_value(var, default=default)), least)

    def secrets(self, var: str, least: int) -> list[str]:
        """Such texts, with commas between."""
        texts = str(self.get_value(var, default="")).split(",")
        return [self.hard_to_guess(var, text.strip(), least) for text in texts if text.strip()]

    def hard_to_guess(self, var: str, text: str, least: int) -> str:
        if text and (len(text) < least or len(set(text)) < 5):
            raise ImproperlyConfigured(
                f"{var} can be guessed; take a random text of {least} characters or more, such as"
                " `openssl rand -hex 32` makes."
            )
        return text


env = Environment()
