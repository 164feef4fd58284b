import {existsSync, readFileSync, readdirSync} from 'node:fs';
import path from 'node:path';

/**
Returns the licence texts of all packages in the chunks, as one text. Throws if a package does not name a licence, or if
the text is not in the package and not known here.
*/
export function thirdPartyNotices(chunks, root) {
	const packages = inlinedPackages(chunks, root);
	const apache = packages.filter(isApache).map(licenceFile).find(isWhole);
	const texts = packages.map(pack => `${heading(pack)}\n\n${licenceText(pack, apache)}\n`);
	return ['inkpod contains the following packages.\n', ...texts].join(`\n${'-'.repeat(100)}\n\n`);
}

/** Data files that are made from the data of a package. */
const made = [
	{file: 'src/pod/ground/counts/catalogue.json', of: 'node_modules/@pydantic/genai-prices'},
	{file: 'src/pod/models/known-models.json', of: 'scripts/sources/pi-ai'},
];

/** Returns the packages whose modules or data are in the chunks, each version once. */
export function inlinedPackages(chunks, root) {
	const directories = new Set(chunks.flatMap(chunk => chunk.moduleIds).flatMap(id => packageDirectory(id, root)));
	const packages = [...directories].map(directory => ({
		directory,
		...JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')),
	}));
	const byName = new Map(packages.map(pack => [`${pack.name}@${pack.version}`, pack]));
	return [...byName.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

function packageDirectory(id, root) {
	if (id.startsWith('\0rolldown') || id.startsWith('rolldown:')) return [path.join(root, 'node_modules/rolldown')];
	const source = made.find(({file}) => id.split('?')[0].replaceAll('\\', '/').endsWith(file));
	if (source !== undefined) return [path.join(root, source.of)];
	if (!id.includes('node_modules')) return [];
	let directory = path.dirname(id.split('?')[0]);
	while (!isPackage(directory)) directory = path.dirname(directory);
	return [directory];
}

// A package.json without a name only sets the module type of a folder.
function isPackage(directory) {
	const file = path.join(directory, 'package.json');
	return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version !== undefined;
}

function heading(pack) {
	const home = typeof pack.repository === 'string' ? pack.repository : pack.repository?.url;
	return [`${pack.name} ${pack.version} (${licenceOf(pack)})`, home].filter(Boolean).join('\n');
}

function licenceOf(pack) {
	if (typeof pack.license !== 'string') throw new Error(`${pack.name} ${pack.version} names no licence`);
	return pack.license;
}

// A short file only refers to the repository's root. The standard text follows it.
function licenceText(pack, apache) {
	const text = licenceFile(pack);
	return isWhole(text) ? text : [text, standardText(pack, apache)].filter(Boolean).join('\n\n');
}

function isWhole(text) {
	return text !== undefined && text.length > 500;
}

function licenceFile(pack) {
	const names = readdirSync(pack.directory).filter(name => /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/iu.test(name));
	return names.length === 0
		? undefined
		: names
				.toSorted()
				.map(name => readFileSync(path.join(pack.directory, name), 'utf8').trim())
				.join('\n\n');
}

function isApache(pack) {
	return licenceOf(pack) === 'Apache-2.0';
}

function standardText(pack, apache) {
	if (isApache(pack) && apache !== undefined) return apache;
	if (licenceOf(pack) === 'MIT') return mit(holder(pack));
	throw new Error(
		`${pack.name} ${pack.version} ships no licence text, and that of ${licenceOf(pack)} is not known here`,
	);
}

function holder(pack) {
	return (typeof pack.author === 'string' ? pack.author : pack.author?.name) ?? `the authors of ${pack.name}`;
}

/** Returns the MIT text with one line for each paragraph, as in the licence's standard text. */
function mit(name) {
	return [
		'MIT License',
		`Copyright (c) ${name}`,
		[
			'Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated',
			'documentation files (the "Software"), to deal in the Software without restriction, including without',
			'limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the',
			'Software, and to permit persons to whom the Software is furnished to do so, subject to the following',
			'conditions:',
		].join(' '),
		[
			'The above copyright notice and this permission notice shall be included in all copies or substantial portions',
			'of the Software.',
		].join(' '),
		[
			'THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED',
			'TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL',
			'THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF',
			'CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER',
			'DEALINGS IN THE SOFTWARE.',
		].join(' '),
	].join('\n\n');
}
