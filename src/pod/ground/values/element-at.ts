/** Returns the element at an index that the caller knows to be in range. Any other index is a bug and throws. */
export function elementAt<Value>(values: ArrayLike<Value>, index: number): Value {
	const value = values[index];
	if (value === undefined) throw new RangeError(`index ${index} is out of range: 0 to ${values.length - 1}`);
	return value;
}
