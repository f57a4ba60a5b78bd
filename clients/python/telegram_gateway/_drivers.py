"""The two drivers: each carries out what the core's generators ask for."""

from __future__ import annotations

import asyncio
import inspect
import time
from typing import Any, Callable

from ._core.effects import Close, Connect, Effect, Exchange, Open, Read, Steps, T, Wait, Write
from ._transport.base import AsyncTransport, Transport


class Driver:
    """Blocking. ``sleep`` can be replaced."""

    def __init__(self, transport: Transport, sleep: Callable[[float], Any] = time.sleep) -> None:
        self.transport = transport
        self._sleep = sleep

    def run(self, steps: Steps[T]) -> T:
        """Runs a generator of the core to its end, answers what it returns."""
        try:
            effect = next(steps)
            while True:
                try:
                    result = self._perform(effect)
                except BaseException as error:
                    effect = steps.throw(error)
                else:
                    effect = steps.send(result)
        except StopIteration as stop:
            value: T = stop.value
            return value

    def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Exchange):
            return self.transport.exchange(effect.request)
        if isinstance(effect, Open):
            return self.transport.open(effect.request)
        if isinstance(effect, Connect):
            return self.transport.connect(effect.timeout)
        if isinstance(effect, Read):
            return effect.source.read()
        if isinstance(effect, Write):
            return effect.target.write(effect.data)
        if isinstance(effect, Close):
            return effect.source.close()
        if isinstance(effect, Wait):
            return self._sleep(effect.seconds)
        return effect.function(*effect.arguments)


class AsyncDriver:
    """The same for asyncio."""

    def __init__(self, transport: AsyncTransport, sleep: Callable[[float], Any] = asyncio.sleep) -> None:
        self.transport = transport
        self._sleep = sleep

    async def run(self, steps: Steps[T]) -> T:
        """Runs a generator of the core to its end, answers what it returns."""
        try:
            effect = next(steps)
            while True:
                try:
                    result = await self._perform(effect)
                except BaseException as error:
                    effect = steps.throw(error)
                else:
                    effect = steps.send(result)
        except StopIteration as stop:
            value: T = stop.value
            return value

    async def _perform(self, effect: Effect) -> Any:
        if isinstance(effect, Exchange):
            return await self.transport.exchange(effect.request)
        if isinstance(effect, Open):
            return await self.transport.open(effect.request)
        if isinstance(effect, Connect):
            return await self.transport.connect(effect.timeout)
        if isinstance(effect, Read):
            return await effect.source.read()
        if isinstance(effect, Write):
            return await effect.target.write(effect.data)
        if isinstance(effect, Close):
            return await effect.source.close()
        if isinstance(effect, Wait):
            return await self._sleep(effect.seconds)
        answer = effect.function(*effect.arguments)
        return await answer if inspect.isawaitable(answer) else answer
