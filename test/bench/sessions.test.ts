import {mkdtemp, rm} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {sessionId, writeSession} from '../../bench/sessions.mjs';
import {readSession} from '../../src/pod/disk/log/read.ts';
import {verifySession} from '../../src/pod/disk/check/verify.ts';

let root: string;

beforeEach(async () => (root = await mkdtemp(path.join(os.tmpdir(), 'inkpod-bench-sessions-'))));
afterEach(async () => rm(root, {recursive: true, force: true}));

describe('a generated session', () => {
	it('is read by inkpod, is valid and has the requested length', async () => {
		const directory = path.join(root, sessionId);
		await writeSession(directory, root, 20);
		const read = await readSession(directory);
		if (!read.ok) throw new Error(read.sentence);
		expect(verifySession(read.session)).toMatchObject({
			ok: true,
			findings: [],
			counts: {setup: 1, message: 40, request: 20, run_end: 20},
		});
	});
});
