"""/api/schema/: the OpenAPI document, which takes a good part of a second to make."""

from functools import cache
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from ginservice.schema import USUAL


class SchemaView(SpectacularAPIView):
    """The document, made once for each process and form, with the address that was asked."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        renderer = request.accepted_renderer
        here = request.build_absolute_uri("/")[:-1]
        name = self._get_filename(request, None)
        return HttpResponse(
            written(type(renderer)).replace(USUAL.encode(), here.encode()),
            content_type=f"{renderer.media_type}; charset=utf-8",
            headers={"Content-Disposition": f'inline; filename="{name}"'},
        )


@cache
def written(form: type[BaseRenderer]) -> bytes:
    document = SchemaGenerator().get_schema(request=None, public=True)
    return bytes(form().render(document, form.media_type, {}))
