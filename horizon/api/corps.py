"""Corps des requêtes et des réponses : des octets lus une fois, bornés, jamais réinterprétés."""

from typing import Any

import msgspec
from rest_framework.exceptions import APIException
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

CORPS_MAX = 6 * 1024 * 1024


class TropGros(APIException):
    """Corps au-delà de la borne : rien n'est lu."""

    status_code = 413
    default_code = "trop_gros"
    default_detail = "Le corps de la requête est trop gros."


class CorpsBrut(BaseParser):
    """Rend les octets du corps, quel que soit le type annoncé : la lecture stricte se fait ensuite."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        octets: bytes = stream.read(CORPS_MAX + 1)
        if len(octets) > CORPS_MAX:
            raise TropGros
        return octets


class RenduJSON(BaseRenderer):
    """JSON écrit par msgspec : instants RFC 3339, structures comprises."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else msgspec.json.encode(data)


class ToujoursJSON(BaseContentNegotiation):
    """L'API ne parle que JSON : un en-tête `Accept` fantaisiste n'est pas une erreur."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Any, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type
