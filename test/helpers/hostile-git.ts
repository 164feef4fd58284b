import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {tempProject, type TempProject} from './temp-project.ts';

/** A repository with attributes that name drivers, and programs that write their names into a file. */
export type HostileRepository = {
	readonly project: TempProject;
	/** Returns a program that leaves a mark with this name. */
	readonly canary: (name: string) => string;
	/** A configuration in which every setting names a program. */
	readonly config: string;
	/** Returns the marks since the last call. */
	ran(): readonly string[];
	/** Runs git as a user does. */
	plain(env: Readonly<Record<string, string>>, args: readonly string[], cwd?: string): void;
};

export async function hostileRepository(): Promise<HostileRepository> {
	const project = await tempProject({
		'a.txt': 'one\ntwo\n',
		'b.txt': 'b\n',
		'.gitattributes': '* filter=mark diff=mark merge=mark\n',
	});
	const git = (...args: readonly string[]) =>
		execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
			cwd: project.dir,
			env: {PATH: process.env['PATH'], HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1'},
			stdio: 'pipe',
		});
	git('init', '-q', '-b', 'main');
	git('add', '-A');
	git('commit', '-qm', 'first');
	git('commit', '-qm', 'second', '--allow-empty');
	git('remote', 'add', 'origin', project.dir);
	put(project.path('.git/info/attributes'), '* filter=mark diff=mark merge=mark\n');
	const marks = project.path('../marks');
	const canary = (name: string) => {
		const path = project.path(`../evil/${name.replaceAll('/', '-')}`);
		// A filter that returned nothing would change the contents. Any other program ends at once.
		const answer = /^filter|textconv$/.test(name) ? 'cat' : 'exit 1';
		put(path, `#!/bin/sh\necho '${name}' >> '${marks}'\n${answer}\n`, 0o755);
		return path;
	};
	return {
		project,
		canary,
		config: configOf(canary),
		ran() {
			const names = existsSync(marks) ? readFileSync(marks, 'utf8').split('\n').slice(0, -1) : [];
			rmSync(marks, {force: true});
			return [...new Set(names)];
		},
		plain(env, args, cwd = project.dir) {
			spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
				cwd,
				env: {PATH: process.env['PATH'], HOME: project.path('../home'), ...env},
				input: 'y\n',
				timeout: 10_000,
			});
		},
	};
}

/** Writes a file and the folders above it. */
export function put(path: string, text: string, mode = 0o644): void {
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, text, {mode});
}

function configOf(canary: HostileRepository['canary']): string {
	const lines = programSettings.map(setting => {
		const [, section = '', middle, name = ''] = /^([^.]+)\.(?:(.+)\.)?([^.]+)$/s.exec(setting) ?? [];
		const header = middle === undefined ? `[${section}]` : `[${section} "${middle}"]`;
		const shell = section === 'alias' || name === 'update' ? '!' : '';
		const value = folders.has(setting) ? dirname(hookIn(canary, setting)) : canary(setting);
		return `${header}\n\t${name} = "${shell}${value}"`;
	});
	return `${lines.join('\n')}\n`;
}

/** Creates all hooks in a folder. */
function hookIn(canary: HostileRepository['canary'], setting: string): string {
	const folder = join(dirname(canary(setting)), `${setting}.d`, setting === 'init.templateDir' ? 'hooks' : '');
	for (const hook of hooks) put(join(folder, hook), readFileSync(canary(`${setting} ${hook}`), 'utf8'), 0o755);
	return setting === 'init.templateDir' ? folder : join(folder, 'pre-commit');
}

const folders = new Set(['core.hooksPath', 'init.templateDir']);

/** The settings of git with which a configuration can start a program (git-config(1)). */
export const programSettings: readonly string[] = [
	...['fsmonitor', 'hooksPath', 'editor', 'pager', 'sshCommand', 'askPass', 'gitProxy', 'alternateRefsCommand'].map(
		name => `core.${name}`,
	),
	...['diff.external', 'diff.mark.command', 'diff.mark.textconv', 'diff.guitool', 'diff.tool'],
	...['filter.mark.clean', 'filter.mark.smudge', 'filter.mark.process', 'filter.lfs.process', 'filter.lfs.smudge'],
	...['merge.mark.driver', 'merge.tool', 'merge.guitool'],
	...['program', 'openpgp.program', 'x509.program', 'ssh.program', 'ssh.defaultKeyCommand'].map(
		name => `gpg.${name}`,
	),
	...['credential.helper', 'credential.https://example.org.helper'],
	...['canary', 'diff', 'status', 'rev-parse', 'config', 'ls-files', 'read-tree', 'update-ref'].map(
		name => `alias.${name}`,
	),
	...['trailer.mark.command', 'trailer.mark.cmd'],
	...['uploadpack.packObjectsHook', 'gc.recentObjectsHook', 'receive.procReceiveRefs'],
	...['remote.origin.uploadpack', 'remote.origin.receivepack', 'remote.evil.vcs', 'lfs.customtransfer.mark.path'],
	...['submodule.sub.update', 'sequence.editor', 'interactive.diffFilter'],
	...['pager.diff', 'pager.status', 'pager.log', 'pager.ls-files'],
	...['man.viewer', 'man.mark.cmd', 'man.mark.path', 'browser.mark.cmd', 'browser.mark.path'],
	...['web.browser', 'help.browser', 'instaweb.browser', 'instaweb.httpd'],
	...['difftool.mark.cmd', 'difftool.mark.path', 'mergetool.mark.cmd', 'mergetool.mark.path', 'guitool.mark.cmd'],
	...['smtpServer', 'toCmd', 'ccCmd', 'headerCmd', 'sendmailCmd'].map(name => `sendemail.${name}`),
	...['imap.tunnel', 'init.templateDir', 'tar.mark.command', 'hook.mark.command'],
];

export const hooks: readonly string[] = [
	...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit'],
	...['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge', 'pre-push'],
	...['pre-receive', 'update', 'proc-receive', 'post-receive', 'post-update', 'reference-transaction'],
	...['push-to-checkout', 'pre-auto-gc', 'post-rewrite', 'sendemail-validate', 'fsmonitor-watchman'],
	...['p4-changelist', 'p4-prepare-changelist', 'p4-post-changelist', 'p4-pre-submit', 'post-index-change'],
];
