"""What a request to Gemini may hold, after the public reference of `models.generateContent`; all else is refused.

Written by hand, as the SDK would be a large thing to install for this.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Blob(Closed):
    mimeType: Literal["image/png", "image/jpeg", "image/webp"]
    data: str = Field(min_length=1)


class FunctionCall(Closed):
    id: str | None = None
    name: str
    args: dict[str, Any] | None = None


class ResponsePart(Closed):
    inlineData: Blob


class FunctionResponse(Closed):
    id: str | None = None
    name: str
    response: dict[str, Any]
    parts: list[ResponsePart] | None = None


class Part(Closed):
    """One of its fields is set, besides those about thoughts."""

    text: str | None = None
    inlineData: Blob | None = None
    functionCall: FunctionCall | None = None
    functionResponse: FunctionResponse | None = None
    thought: bool | None = None
    thoughtSignature: str | None = None


class Content(Closed):
    role: Literal["user", "model"] | None = None
    parts: list[Part] = Field(min_length=1)


class ComputerUse(Closed):
    environment: Literal["ENVIRONMENT_BROWSER", "ENVIRONMENT_DESKTOP", "ENVIRONMENT_MOBILE"]
    excludedPredefinedFunctions: list[str] | None = None
    enablePromptInjectionDetection: bool | None = None
    disabledSafetyPolicies: list[str] | None = None


class FunctionDeclaration(Closed):
    name: str = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$")
    description: str
    parametersJsonSchema: dict[str, Any] | None = None


class Tool(Closed):
    computerUse: ComputerUse | None = None
    functionDeclarations: list[FunctionDeclaration] | None = None


class ThinkingConfig(Closed):
    includeThoughts: bool | None = None
    thinkingBudget: int | None = None
    thinkingLevel: str | None = None


class GenerationConfig(Closed):
    temperature: float | None = Field(default=None, ge=0, le=2)
    maxOutputTokens: int | None = None
    stopSequences: list[str] | None = Field(default=None, max_length=5)
    responseMimeType: Literal["text/plain", "application/json"] | None = None
    responseJsonSchema: dict[str, Any] | None = None
    thinkingConfig: ThinkingConfig | None = None


class Request(Closed):
    contents: list[Content] = Field(min_length=1)
    systemInstruction: Content | None = None
    tools: list[Tool] | None = None
    toolConfig: dict[str, Any] | None = None
    safetySettings: list[dict[str, Any]] | None = None
    generationConfig: GenerationConfig | None = None
    cachedContent: str | None = None
