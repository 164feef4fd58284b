/** Returns a value that nearby code guarantees. A missing value is a bug, so the function throws. */
export function required<Value>(value: Value | null | undefined, what: string): Value {
	if (value === undefined || value === null) throw new Error(`missing ${what}`);
	return value;
}
