import {mkdtemp, rm} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {measure} from '../../bench/measure.mjs';

let root: string;

beforeEach(async () => (root = await mkdtemp(path.join(os.tmpdir(), 'inkpod-bench-measure-'))));
afterEach(async () => rm(root, {recursive: true, force: true}));

describe('a measurement', () => {
	const broken = {command: ['/bin/sh', '-c', 'exit 1'], env: {}, ready: 'ready', metrics: ['start', 'warm']};
	const linesOf = async (subject: object) => {
		const context = {metrics: ['start', 'echo', 'warm', 'npx'], directory: root, project: root, home: root};
		return Array.fromAsync(measure(subject, context));
	};

	it('goes on after a peer has failed, and says what failed', async () => {
		expect(await linesOf({...broken, version: '1.0.0'})).toEqual(
			['start', 'warm'].map(metric => ({metric, values: {}, failure: 'the program ended waiting for ready'})),
		);
	});

	it('stops when inkpod itself fails', async () => {
		await expect(linesOf(broken)).rejects.toThrow('the program ended');
	});
});
