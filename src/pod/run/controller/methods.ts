import type {Method, MethodName, Receipt} from '../../protocol.ts';

export type MethodOf<Name extends MethodName> = Extract<Method, {method: Name}>;

/** A handler for each method. */
export type Methods = {readonly [Name in MethodName]: (method: MethodOf<Name>) => Promise<Receipt>};

/** Calls the handler of a method. */
export async function dispatch(methods: Methods, method: Method): Promise<Receipt> {
	return call(methods, method.method, method);
}

type MethodByName = {readonly [Name in MethodName]: MethodOf<Name>};

/** Calls one handler. The function is generic, so that the compiler sees that handler and method have the same name. */
async function call<Name extends MethodName>(
	methods: {readonly [Each in Name]: (method: MethodByName[Each]) => Promise<Receipt>},
	name: Name,
	method: MethodByName[Name],
): Promise<Receipt> {
	return methods[name](method);
}
