import {readFileSync} from 'node:fs';

/** Ends this process with one sentence when the running Node is older than package.json's `engines` asks for. */
export function requireNode() {
	const {engines} = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
	const [major, minor] = parts(engines.node.replace(/^>=/u, ''));
	const [ownMajor, ownMinor] = parts(process.versions.node);
	if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return;
	process.stderr.write(
		`Node.js ${major}.${minor} or newer is needed to build inkpod; this is ${process.versions.node}. Use \`npm run\`, which takes the one in node_modules.\n`,
	);
	process.exit(2);
}

function parts(version) {
	return version.split('.').map(Number);
}
