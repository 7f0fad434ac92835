"""Carry out one request on a desktop of its own, and say what came of it."""

import anyio

import deskhand


async def main() -> None:
    result = await deskhand.run('In the text editor, write "Hello from Python" and save it as /tmp/hello.txt')
    print(result.outcome, result.answer, f"{result.steps} steps")


if __name__ == "__main__":
    anyio.run(main)
