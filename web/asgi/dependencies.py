"""FastAPI dependencies: the services, the keys of access tokens, the session reader."""

from typing import Annotated

from fastapi import Depends, Request

from application.services import Services
from application.session_reader import SessionReader
from application.tokens.access_tokens import AccessTokens


async def get_services(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


async def get_tokens(request: Request) -> AccessTokens:
    tokens: AccessTokens = request.app.state.tokens
    return tokens


InjectedServices = Annotated[Services, Depends(get_services)]
InjectedTokens = Annotated[AccessTokens, Depends(get_tokens)]


async def get_reader(services: InjectedServices) -> SessionReader:
    return services.reader


InjectedReader = Annotated[SessionReader, Depends(get_reader)]
