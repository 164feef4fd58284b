import {readFileSync} from 'node:fs';

/** Exits with one sentence when the running Node is older than `engines` of package.json. */
export function requireNode() {
	const {engines} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
	const [major, minor] = parts(engines.node.replace(/^>=/u, ''));
	const [ownMajor, ownMinor] = parts(process.versions.node);
	if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
	const needed = `Building inkpod needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}.`;
	process.stderr.write(`${needed} Use \`npm run\`: it runs the Node of node_modules.\n`);
	process.exit(2);
}

function parts(version) {
	return version.split('.').map(Number);
}
