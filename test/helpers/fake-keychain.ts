import {chmod, mkdir, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/** A folder for PATH with a program of the system's keychain, which records what it gets. */
export type FakeKeychain = {
	/** The folders for PATH. */
	readonly path: string;
	/** The arguments of each call, in order. */
	readonly calls: () => Promise<readonly string[]>;
	/** The environments of all calls, as text. */
	readonly environments: () => Promise<string>;
	/** The stored keys by provider, or `undefined`. */
	readonly stored: (provider: string) => Promise<string | undefined>;
};

/** How the keychain behaves: it works, refuses everything, or never answers. */
export type Manner = 'works' | 'refuses' | 'hangs';

/** Writes a program `secret-tool` or `security` into a folder. */
export async function fakeKeychain(
	folder: string,
	{manner = 'works', program = 'secret-tool'}: {readonly manner?: Manner; readonly program?: string} = {},
): Promise<FakeKeychain> {
	const [bin, data] = [join(folder, 'bin'), join(folder, 'keychain')];
	await mkdir(bin, {recursive: true});
	await mkdir(data, {recursive: true});
	const log = `echo "$*" >> '${data}/calls'; env >> '${data}/environments'`;
	const bodies: Readonly<Record<Manner, string>> = {
		works: program === 'security' ? securityBody(data) : secretToolBody(data),
		refuses: 'exit 1',
		hangs: 'sleep 60 & sleep 60',
	};
	const file = join(bin, program);
	await writeFile(file, `#!/bin/sh\n${log}\n${bodies[manner]}\n`);
	await chmod(file, 0o755);
	const read = async (name: string) => readFile(join(data, name), 'utf8').catch(() => undefined);
	return {
		path: `${bin}:/usr/bin:/bin`,
		calls: async () => ((await read('calls')) ?? '').split('\n').filter(line => line !== ''),
		environments: async () => (await read('environments')) ?? '',
		stored: async provider => read(`key-${provider}`),
	};
}

/** The last argument is the provider. */
function secretToolBody(data: string): string {
	return [
		'for last; do :; done',
		'case $1 in',
		`store) cat > '${data}/key-'"$last";;`,
		`lookup) cat '${data}/key-'"$last" 2>/dev/null;;`,
		`clear) rm -f '${data}/key-'"$last";;`,
		'esac',
	].join('\n');
}

function securityBody(data: string): string {
	return [
		'case $1 in',
		`-i) read -r line; key=\${line##*-w \\"}; name=\${line##*-a \\"}`,
		`  printf '%s' "\${key%?}" > '${data}/key-'"\${name%%\\"*}";;`,
		`find-generic-password) cat '${data}/key-'"$5" 2>/dev/null || exit 44; echo;;`,
		`delete-generic-password) rm '${data}/key-'"$5" 2>/dev/null || exit 44;;`,
		'esac',
	].join('\n');
}
