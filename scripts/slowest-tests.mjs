import path from 'node:path';

/**
Returns the slowest tests of a run as a table: milliseconds, file and name. Returns an empty text for a run of few
tests.
*/
export function slowestTests(tests, {root = process.cwd(), max = 10} = {}) {
	if (tests.length <= max) return '';
	const slowest = tests
		.map(test => ({ms: Math.round(test.diagnostic()?.duration ?? 0), name: nameOf(test, root)}))
		.toSorted((one, other) => other.ms - one.ms)
		.slice(0, max);
	const width = String(slowest[0].ms).length;
	const lines = slowest.map(({ms, name}) => `${String(ms).padStart(width)} ms  ${name}\n`);
	return `the ${max} slowest of ${tests.length} tests:\n${lines.join('')}\n`;
}

function nameOf({module, fullName}, root) {
	return `${path.relative(root, module.moduleId)} > ${fullName}`;
}
