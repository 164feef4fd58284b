/** Returns a value that the caller knows to exist. A missing value is a bug and throws. */
export function required<Value>(value: Value | undefined, what: string): Value {
	if (value === undefined) throw new Error(`${what} is missing`);
	return value;
}
