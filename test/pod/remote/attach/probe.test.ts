import {spawnSync} from 'node:child_process';
import {chmod, mkdir, readdir, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {removeDeadSockets} from '../../../../src/pod/remote/attach/probe.ts';
import {handPod, served, sessionId, socketDir} from '../../../helpers/socket-pod.ts';

/** Leaves a socket whose process was killed while it listened. */
function leaveDead(path: string): void {
	spawnSync(process.execPath, [
		'-e',
		`require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`,
	]);
}

describe('the removal of dead sockets', () => {
	it('removes only dead sockets, not live ones or other files', async () => {
		const folder = join(await socketDir(), 'inkpod');
		await mkdir(folder, {mode: 0o700});
		const dead = join(folder, '01JDBBBBBBBBBBBBBBBBBBBBBB.sock');
		leaveDead(dead);
		await chmod(dead, 0o600);
		await served(handPod().client, {folder});
		await writeFile(join(folder, 'file.sock'), '', {mode: 0o600});
		await writeFile(join(folder, 'notes'), '');
		await removeDeadSockets(folder);
		expect((await readdir(folder)).toSorted()).toEqual([`${sessionId}.sock`, 'file.sock', 'notes']);
	});

	it('changes nothing in a folder that is missing or open to others', async () => {
		const folder = join(await socketDir(), 'inkpod');
		await removeDeadSockets(folder);
		await mkdir(folder);
		await chmod(folder, 0o755);
		const dead = join(folder, '01JDBBBBBBBBBBBBBBBBBBBBBB.sock');
		leaveDead(dead);
		await chmod(dead, 0o600);
		await removeDeadSockets(folder);
		expect(await readdir(folder)).toHaveLength(1);
	});
});
