import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {ownCommand} from '../../../src/cli/start/own-command.ts';
import {tempProject} from '../../helpers/temp-project.ts';

const script = '/home/me/inkpod/dist/inkpod.js';
const start = {script, node: 'node'};

describe('the command that starts inkpod again', () => {
	it('is inkpod if the PATH contains it', async () => {
		const {dir} = await tempProject({'bin/inkpod': ''});
		expect(ownCommand({...start, env: {PATH: `relative:${join(dir, 'bin')}`}})).toBe('inkpod');
	});

	it('is the npm script that started it, because only scripts see the folders that npm adds', async () => {
		const {dir} = await tempProject({'node_modules/.bin/inkpod': ''});
		const npm = {PATH: join(dir, 'node_modules/.bin'), npm_package_name: 'inkpod'};
		const ofScript = (name: string) => ({...npm, npm_command: 'run', npm_lifecycle_event: name});
		expect(ownCommand({...start, env: {...npm, npm_command: 'start', npm_lifecycle_event: 'start'}})).toBe(
			'npm start --',
		);
		expect(ownCommand({...start, env: ofScript('dev')})).toBe('npm run dev --');
		expect(ownCommand({...start, env: ofScript('a; rm -rf')})).toBe(`node ${script}`);
		expect(ownCommand({...start, env: {PATH: npm.PATH, npm_command: 'exec'}})).toBe('npx inkpod');
	});

	it('is the path of the program otherwise, as one word of a shell', () => {
		expect(ownCommand({...start, env: {}})).toBe(`node ${script}`);
		expect(ownCommand({...start, env: {npm_package_name: 'other', npm_lifecycle_event: 'start'}})).toBe(
			`node ${script}`,
		);
		expect(ownCommand({env: {}, node: 'node', script: "/my dir/it's\x1b[31m.js"})).toMatch(
			/^node '\/my dir\/it'\\''s[^\x1b]*\.js'$/,
		);
	});
});
