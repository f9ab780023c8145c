"""A page of the admin that asks why, and then does what the operator wants done."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from unfold.widgets import UnfoldAdminTextareaWidget


class ReasonForm(forms.Form):
    reason = forms.CharField(widget=UnfoldAdminTextareaWidget({"rows": 3}), max_length=1000)


def ask(
    request: HttpRequest,
    about: Model,
    title: str,
    words: str,
    form: forms.Form,
    does: Callable[..., Any],
    refusals: tuple[type[Exception], ...],
    then: str,
) -> HttpResponse:
    """Show the form; when it is sent, call `does` with its fields and go on to the address `then`.

    What is refused is told in words, and nothing is done.
    """
    if form.is_valid():
        try:
            does(**form.cleaned_data)
        except refusals as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, f"Done: {title.lower()}.")
            return redirect(then)
    context = {
        **admin.site.each_context(request),
        "title": title,
        "doing": title,
        "opts": about._meta,
        "about": about,
        "words": words,
        "form": form,
        "back": then,
    }
    status = HTTPStatus.CONFLICT if form.is_bound else HTTPStatus.OK
    return render(request, "admin/ask.html", context, status=status)
