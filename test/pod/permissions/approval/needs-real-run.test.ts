import {expect, it} from 'vitest';
import {needsRealRun} from '../../../../src/pod/permissions/approval/needs-real-run.ts';

it.each([
	'cat .env',
	'grep -h KEY config/.env.local',
	'git show HEAD:.env',
	'FILE=server.key node check.js',
	'cat <id_rsa',
	'ps aux | head',
	'npm test; docker ps',
	'echo $(pgrep node)',
	'cd app && /usr/bin/systemctl status web',
	'time LANG=C lsof -i',
])('a command cannot be tried if it names a secret or asks other processes: %s', command => {
	expect(needsRealRun(command)).toBe(true);
});

it.each([
	'ls -la',
	'npm test',
	'git log --oneline -5',
	'grep -rn "docker ps" docs',
	'echo ps && cat notes.md',
	'node -e "console.log(1)" | sort | head',
	'tsc --noEmit && echo ok',
])('another command can be tried: %s', command => {
	expect(needsRealRun(command)).toBe(false);
});
