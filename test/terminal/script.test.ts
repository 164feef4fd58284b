import {execFile} from 'node:child_process';
import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';
import {promisify} from 'node:util';
import {describe, expect, it} from 'vitest';
import {builtProgram} from '../helpers/built.ts';
import {readExamples} from '../helpers/examples.ts';
import {cleanEnvironment} from '../helpers/pty.ts';
import {tempProject} from '../helpers/temp-project.ts';

describe('the script in docs/print.md', () => {
	it('gets an answer as a value, and holds a conversation over a pipe', async () => {
		const [example] = readExamples().filter(({kind}) => kind === 'sh script');
		const answers = [{type: 'text', text: '{"findings": ["none"]}'}];
		const {dir} = await tempProject({
			'model.json': JSON.stringify([answers, [{type: 'text', text: 'second'}]]),
			'script.sh': example!.text,
		});
		const bin = path.join(dir, 'bin');
		await mkdir(bin);
		const program = [process.execPath, await builtProgram(), '--model', `scripted:${dir}/model.json`];
		await writeFile(
			path.join(bin, 'inkpod'),
			`#!/bin/sh\nexec ${program.map(word => `'${word}'`).join(' ')} "$@"\n`,
		);
		await chmod(path.join(bin, 'inkpod'), 0o755);
		const env = {...cleanEnvironment(path.join(dir, 'home')), PATH: `${bin}:/usr/bin:/bin`};
		const running = promisify(execFile)('sh', ['script.sh'], {cwd: dir, env});
		running.child.stdin?.end();
		await running;
		const read = async (name: string) => JSON.parse(await readFile(path.join(dir, name), 'utf8')) as unknown;
		expect(await read('review.json')).toMatchObject({outcome: 'finished', structured: {findings: ['none']}});
		expect(await read('result.json')).toMatchObject({type: 'result', outcome: 'finished', answer: 'second'});
	});
});
