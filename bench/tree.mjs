import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';

const words = [
	'agent alert block cache client config cursor editor event filter frame history index layout logger model parser',
	'query reader render request router schema scope search server session state store stream table theme token view',
	'widget worker',
].flatMap(line => line.split(' '));

/**
Creates a project of about `files` empty files in `directory`. The project is always the same. Its packages have folders
of about ten files. A sixth of the files is in node_modules, which .gitignore names.
*/
export function makeTree(directory, files) {
	const random = generator(7);
	const word = () => words[Math.floor(random() * words.length)];
	const ignored = Math.floor(files / 6);
	mkdirSync(path.join(directory, '.git'), {recursive: true});
	writeFileSync(path.join(directory, '.gitignore'), 'node_modules/\ndist/\n*.log\n');
	for (let made = 1; made < files;) {
		const top =
			made < ignored ? `node_modules/${word()}-${word()}` : `packages/${word()}-${Math.floor(random() * 60)}/src`;
		const folder = path.join(
			directory,
			top,
			word(),
			...(random() < 0.6 ? [word()] : []),
			...(random() < 0.3 ? [word()] : []),
		);
		mkdirSync(folder, {recursive: true});
		for (let count = 0; count < 10 && made < files; count += 1, made += 1)
			writeFileSync(path.join(folder, `${word()}-${word()}-${made}.ts`), '');
	}
}

// mulberry32
function generator(seed) {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let value = Math.imul(state ^ (state >>> 15), 1 | state);
		value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
		return ((value ^ (value >>> 14)) >>> 0) / 4294967296;
	};
}
