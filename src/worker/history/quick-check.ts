import type {z} from 'zod';

/**
Derives a check from a schema. The check is true only for JSON values that the schema accepts and returns unchanged. It
makes no copy, so it takes a fraction of the schema's time. If the check is false, the caller must use the schema.
*/
export function quickCheck(schema: z.core.$ZodType): Check {
	const {def} = schema._zod;
	const check = base(def as Def);
	const checks = (def.checks ?? []).map(one => refinement(one._zod.def as CheckDef));
	return checks.length === 0 ? check : value => check(value) && checks.every(one => one(value));
}

export type Check = (value: unknown) => boolean;

type Def = z.core.$ZodTypes['_zod']['def'];
type CheckDef = z.core.$ZodChecks['_zod']['def'] | z.core.$ZodCustomDef;

function base(def: Def): Check {
	if (def.type === 'object') return objectCheck(def);
	if (def.type === 'string') return value => typeof value === 'string';
	if (def.type === 'number') return value => Number.isFinite(value);
	if (def.type === 'boolean') return value => typeof value === 'boolean';
	if (def.type === 'unknown') return () => true;
	if (def.type === 'literal') return value => def.values.some(one => one === value);
	if (def.type === 'enum') return oneOf(new Set(Object.values(def.entries)));
	if (def.type === 'optional') return optional(quickCheck(def.innerType));
	if (def.type === 'array') return arrayOf(quickCheck(def.element));
	return def.type === 'record' ? recordCheck(quickCheck(def.valueType)) : () => false;
}

function oneOf(values: ReadonlySet<unknown>): Check {
	return value => values.has(value);
}

function optional(check: Check): Check {
	return value => value === undefined || check(value);
}

function arrayOf(check: Check): Check {
	return value => Array.isArray(value) && value.every(element => check(element));
}

/**
Returns a check that fails on unknown keys unless the schema is loose, because a schema that is not loose may remove
them.
*/
function objectCheck({shape, catchall}: z.core.$ZodObjectDef): Check {
	const fields = Object.entries(shape).map(([name, field]) => [name, quickCheck(field)] as const);
	const isLoose = catchall?._zod.def.type === 'unknown';
	return value => {
		if (!isPlain(value)) return false;
		for (const [name, check] of fields) if (!check(value[name])) return false;
		if (!isLoose) for (const name in value) if (!Object.hasOwn(shape, name)) return false;
		return true;
	};
}

function recordCheck(check: Check): Check {
	return value => {
		if (!isPlain(value)) return false;
		for (const name in value) if (!check(value[name])) return false;
		return true;
	};
}

function refinement(def: CheckDef): Check {
	if (def.check === 'min_length') return value => typeof value === 'string' && value.length >= def.minimum;
	if (def.check === 'max_length') return value => typeof value === 'string' && value.length <= def.maximum;
	if (def.check === 'number_format' && def.format === 'safeint') return value => Number.isSafeInteger(value);
	if (def.check === 'greater_than')
		return value =>
			typeof value === 'number' && (def.inclusive ? value >= Number(def.value) : value > Number(def.value));
	if (def.check === 'custom' && 'fn' in def) return value => def.fn(value) === true;
	return () => false;
}

/** Tells whether a value is an object without a key named `__proto__`, which a schema would remove. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '__proto__');
}
