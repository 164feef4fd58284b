import {readFileSync} from 'node:fs';
import path from 'node:path';
import {describe, expect, it} from 'vitest';
import type {z} from 'zod';
import {eventSchema, snapshotSchema} from '../../src/pod/protocol/event.ts';
import {methodSchema} from '../../src/pod/protocol/method.ts';
import {queries, queryNames} from '../../src/pod/protocol/queries.ts';
import {statusSchema} from '../../src/pod/protocol/status.ts';
import {projectRoot} from '../helpers/built.ts';

const page = readFileSync(path.join(projectRoot, 'docs/events.md'), 'utf8');
const named = new Set([...page.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));

/** Returns the keys of an object's schema, and of the objects in its lists. */
function keysOf(schema: unknown): readonly string[] {
	const inner = schema as {
		readonly unwrap?: () => unknown;
		readonly element?: unknown;
		readonly shape?: z.ZodRawShape;
	};
	if (typeof inner.unwrap === 'function') return keysOf(inner.unwrap());
	if (inner.element !== undefined) return keysOf(inner.element);
	return Object.keys(inner.shape ?? {});
}

describe('docs/events.md', () => {
	it('names every event, and each of its fields', () => {
		const events = eventSchema.options.flatMap(({shape}) => [shape.type.value, ...Object.keys(shape)]);
		const shapes = [...keysOf(snapshotSchema.shape.session)].filter(key => key !== 'type');
		const missing = ['snapshot', ...events, ...shapes].filter(name => !named.has(name));
		expect(missing).toEqual([]);
	});

	it('names every field of the status, and of the lists in it', () => {
		const {shape} = statusSchema;
		const nested = Object.values(shape).flatMap(keysOf);
		expect([...Object.keys(shape), ...nested].filter(name => !named.has(name))).toEqual([]);
	});

	it('has a row with all fields for every method', () => {
		const methods = page.slice(page.indexOf('## Methods'));
		for (const {shape} of methodSchema.options) {
			const name = shape.method.value;
			const row = new RegExp(`^\\| \`${name}\` \\|([^|]*)\\|`, 'm').exec(methods)?.[1];
			if (['rest', 'leave', 'task', 'shutdown'].includes(name)) expect(named).toContain(name);
			else
				expect([name, ...(row ?? 'no row').matchAll(/\w+/g)].map(String)).toEqual([
					name,
					...Object.keys(shape).filter(key => key !== 'method'),
				]);
		}
	});

	it('names every question', () => {
		expect(queryNames.map(name => queries[name].ask).filter(ask => !named.has(ask))).toEqual([]);
	});
});
