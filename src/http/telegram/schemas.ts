import { Type } from 'typebox';

export const MethodParams = Type.Object({ method: Type.String() });

/** `POST /telegram/{method}`: the parameters, of which the layer's schema says what they have to be. */
export const MethodBody = Type.Object({ params: Type.Optional(Type.Object({}, { additionalProperties: true })) });

export const MethodAnswer = Type.Unsafe<unknown>({ description: "Telegram's answer: an object, a list or a value." });
