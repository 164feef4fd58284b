import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {peers} from '../../bench/peers.mjs';

let root: string;

beforeEach(async () => (root = await mkdtemp(path.join(os.tmpdir(), 'inkpod-bench-peers-'))));
afterEach(async () => rm(root, {recursive: true, force: true}));

describe('the peers', () => {
	type Found = Readonly<Record<string, {readonly version: string; readonly home: string}>>;
	const found = (): Found =>
		peers({url: 'http://127.0.0.1:9/v1', home: path.join(root, 'home'), project: '/project', searched: root});

	it('are those that are installed, with their versions', async () => {
		await writeFile(path.join(root, 'codex'), '#!/bin/sh\necho codex-cli 1.2.3\n', {mode: 0o755});
		await writeFile(path.join(root, 'pi'), '#!/bin/sh\nexit 1\n', {mode: 0o755});
		await writeFile(path.join(root, 'claude'), 'not executable', {mode: 0o644});
		const versions = Object.entries(found()).map(([name, {version}]) => [name, version]);
		expect(versions).toEqual([
			['pi', 'of unknown version'],
			['codex', '1.2.3'],
		]);
	});

	it('have their own home directories, with settings that name the fake server', async () => {
		await writeFile(path.join(root, 'codex'), '#!/bin/sh\necho 1.0.0\n', {mode: 0o755});
		const {home} = found()['codex'] ?? {};
		expect(home).toBe(path.join(root, 'home-codex'));
		expect(await readFile(path.join(root, 'home-codex/.codex/config.toml'), 'utf8')).toContain(
			'base_url = "http://127.0.0.1:9/v1"',
		);
	});
});
