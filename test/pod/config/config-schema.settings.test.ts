import {readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import {z} from 'zod';
import {configSchema, manifestSchema} from '../../../src/pod/config/config-schema.ts';
import {loadConfig} from '../../../src/pod/config/config.ts';
import {defaultLimits} from '../../../src/pod/config/limits.ts';
import {projectRoot} from '../../helpers/built.ts';
import {tempProject} from '../../helpers/temp-project.ts';

type Row = {readonly key: string; readonly type: string; readonly fallback: string; readonly files: string};

/** Returns the rows of the tables in docs/settings.md: key, type, default, files and meaning. */
function rowsOf(page: string): readonly Row[] {
	return page
		.split('\n')
		.filter(line => line.startsWith('| `'))
		.map(line => {
			const [key = '', type = '', fallback = '', files = '', meaning = ''] = line
				.slice(1, -1)
				.split(/(?<!\\)\|/)
				.map(cell => cell.trim());
			if (meaning === '') throw new Error(`${key} has no meaning`);
			return {key: key.replaceAll('`', ''), type, fallback: fallback.replaceAll('`', ''), files};
		});
}

/** Returns the keys of a schema with dots, and the values of a table with any names as `<name>`. */
function keysIn(schema: unknown, prefix = ''): readonly string[] {
	if (schema instanceof z.ZodOptional) return keysIn(schema.unwrap(), prefix);
	if (schema instanceof z.ZodPipe) return keysIn(schema.out, prefix);
	if (schema instanceof z.ZodArray && schema.element instanceof z.ZodObject) return keysIn(schema.element, prefix);
	if (schema instanceof z.ZodRecord) return keysIn(schema.valueType, `${prefix}.<name>`);
	if (!(schema instanceof z.ZodObject)) return [prefix];
	return Object.entries(schema.shape).flatMap(([key, each]) =>
		keysIn(each, prefix === '' ? key : `${prefix}.${key}`),
	);
}

const rows = rowsOf(readFileSync(path.join(projectRoot, 'docs/settings.md'), 'utf8'));

/** The defaults in the code, by key. */
async function defaults(): Promise<Readonly<Record<string, unknown>>> {
	const {dir} = await tempProject();
	const read = await loadConfig({XDG_CONFIG_HOME: dir, HOME: dir});
	if (!read.ok) throw new Error(read.sentence);
	const {screen} = read.config;
	const {fileRefs, tools, retry, compaction} = defaultLimits;
	return {
		'file_refs.max_bytes': fileRefs.maxBytes,
		'file_refs.max_files': fileRefs.maxFiles,
		'file_refs.max_total_bytes': fileRefs.maxTotalBytes,
		'file_refs.max_scan_bytes': fileRefs.maxScanBytes,
		'tools.max_output_bytes': tools.maxOutputBytes,
		'retry.max_attempts': retry.maxAttempts,
		'retry.max_wait': retry.maxWaitMs / 1000,
		'compaction.threshold': compaction.threshold,
		'compaction.retained_tokens': compaction.retainedTokens,
		'compaction.auto_read_tokens': compaction.autoReadTokens,
		'screen.bell': `"${screen.bell}"`,
		'screen.title': screen.title,
		'screen.mouse': screen.mouse,
		'screen.dump': screen.dump,
		'screen.reader': screen.reader,
	};
}

describe('docs/settings.md', () => {
	it.each([
		['config.toml', configSchema],
		['inkpod.toml', manifestSchema],
	])('lists each key of %s, and no other', (file, schema) => {
		const listed = rows.filter(({files}) => files.split(', ').includes(file)).map(({key}) => key);
		expect(listed.toSorted()).toEqual([...keysIn(schema)].toSorted());
	});

	it('states the defaults of the code', async () => {
		const known = await defaults();
		const stated = Object.fromEntries(
			rows.filter(({key}) => Object.hasOwn(known, key)).map(({key, fallback}) => [key, fallback]),
		);
		expect(stated).toEqual(Object.fromEntries(Object.entries(known).map(([key, value]) => [key, String(value)])));
	});

	it('states a default for each key that has one, and names the other keys as unset', () => {
		expect(rows.filter(({fallback}) => fallback === '').map(({key}) => key)).toEqual([]);
	});

	it('lists no key twice', () => {
		expect(new Set(rows.map(({key}) => key)).size).toBe(rows.length);
	});
});
