import {
	appendFileSync,
	chmodSync,
	linkSync,
	lstatSync,
	mkdirSync,
	readdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';

/** One change that a script makes: a line of shell, and the same change made by Node. */
export type Change = {readonly shell: string; readonly run: (folder: string) => void};

const names = ['a', 'b', 'c d', 'd', 'é', '-x', 'a\nb', 'q"\'$`', '.h', 'n\\m', 'a,b:c', '\xff\xfe'];

/**
Returns random changes to a folder: files, permissions, links, renames and deletions at up to three levels, with odd
names. A change that does not fit what is there does nothing.
*/
export function randomScript(next: () => number, length: number): readonly Change[] {
	return Array.from({length}, () => randomChange(next));
}

/**
Returns random changes that make a project, in which each file has one name. In an overlay, a change reaches only the
name under which it is made.
*/
export function randomProject(next: () => number, length: number): readonly Change[] {
	return randomScript(next, length).filter(({shell}) => !shell.startsWith('ln $'));
}

function randomChange(next: () => number): Change {
	const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(next() * list.length)] as Value;
	const path = () => Array.from({length: 1 + Math.floor(next() * 3)}, () => pick(names)).join('/');
	const [one, other, text, mode] = [
		path(),
		path(),
		String(Math.floor(next() * 1e6)),
		pick([0o600, 0o644, 0o755, 0o500]),
	];
	const octal = mode.toString(8);
	const changes: readonly Change[] = [
		change(`mkdir -p ${q(one)}`, at => mkdirSync(at(one), {recursive: true})),
		change(`printf %s ${text} > ${q(one)}`, at => writeFileSync(at(one), text)),
		change(`printf %s ${text} >> ${q(one)}`, at => appendFileSync(at(one), text)),
		change(`rm -rf ${q(one)}`, at => rmSync(at(one), {recursive: true, force: true})),
		change(`chmod ${octal} ${q(one)}`, at => {
			if (!lstatSync(at(one)).isSymbolicLink()) chmodSync(at(one), mode);
		}),
		change(`ln -sn ${q(other)} ${q(one)}`, at => symlinkSync(Buffer.from(other, 'latin1'), at(one))),
		// In an overlay, a folder that cannot be entered cannot be moved either, because a move is a copy there.
		change(`[ -z "$(find ${q(one)} -type d ! -executable)" ] && mv -T ${q(one)} ${q(other)}`, at =>
			renameSync(at(one), at(other)),
		),
		change(`ln ${q(one)} ${q(other)}`, at => linkSync(at(one), at(other))),
		change(`rm -rf ${q(one)} && mkdir ${q(one)}`, at => {
			rmSync(at(one), {recursive: true, force: true});
			mkdirSync(at(one));
			for (const name of readdirSync(at(one))) writeFileSync(at(`${one}/${name}`), text);
		}),
	];
	return pick(changes);
}

function change(shell: string, run: (at: (path: string) => Buffer) => void): Change {
	return {
		shell: `${shell} 2>/dev/null`,
		run(folder) {
			try {
				run(path => Buffer.from(`${folder}/${path}`, 'latin1'));
			} catch {
				// The change does not fit what is there.
			}
		},
	};
}

/** Returns a path as a word of a shell. Bytes that are not UTF-8 come as escapes of bash. */
function q(path: string): string {
	const escaped = [...Buffer.from(`./${path}`, 'latin1')].map(byte =>
		/[A-Za-z0-9./_]/.test(String.fromCharCode(byte))
			? String.fromCharCode(byte)
			: `\\x${byte.toString(16).padStart(2, '0')}`,
	);
	return `$'${escaped.join('')}'`;
}
