import {readlinkSync} from 'node:fs';
import {dirname, join, resolve} from 'node:path';
import {contains} from '../../ground/files/contains.ts';
import {folderNames} from './folder-names.ts';
import {isLink, realOf, shownAt, type Link, type Shown} from './shown.ts';

/** The parts of the system that every command can read. */
type SystemPlaces = {readonly shown: readonly Shown[]; readonly links: readonly Link[]};

/** Returns the existing folders and files of the system. A link stays a link if its target is also shown. */
export function systemPlaces(): SystemPlaces {
	const paths = [...folders, ...etcNames().map(name => join('/etc', name)), ...deeperFiles];
	const shown: Shown[] = [];
	const links: Link[] = [{path: '/var/run', target: '/run'}];
	for (const path of paths) {
		const [place] = shownAt(path);
		if (place === undefined) continue;
		if (isLink(path) && isTargetShown(path, place.source)) links.push({path, target: readlinkSync(path)});
		else shown.push(place);
	}
	return {shown, links};
}

/**
Tells whether both the real path of a link and its direct target, which may be another link, are in shown folders.
*/
function isTargetShown(path: string, real: string): boolean {
	const next = resolve(dirname(path), readlinkSync(path));
	return [next, real].every(target => folders.some(folder => contains(folder, target) && realOf(folder) === folder));
}

const folders = [
	...['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/opt'],
	...['/nix/store', '/gnu/store', '/run/current-system', '/var/lib/ca-certificates'],
] as const;

/** Returns the entries of /etc that programs need and that contain no credentials. */
function etcNames(): readonly string[] {
	return [...folderNames('/etc')].filter(name => etc.has(name) || etcPattern.test(name));
}

const etc: ReadonlySet<string> = new Set([
	// Names of hosts, services, and time
	...['resolv.conf', 'hosts', 'nsswitch.conf', 'services', 'protocols'],
	...['localtime', 'timezone', 'locale.alias', 'locale.conf', 'os-release', 'lsb-release', 'static'],
	// Programs and their libraries
	...['ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'alternatives', 'mime.types'],
	// Certificates
	...['ca-certificates', 'ca-certificates.conf', 'crypto-policies'],
	// Languages and their tools
	...['java', 'perl', 'php', 'R', 'dotnet', 'fonts', 'chromium', 'chromium.d', 'OpenCL', 'vulkan'],
]);
const etcPattern =
	/^(?:java-?\d[\w.-]*|python\d[\w.]*|ld-musl-[\w-]+\.path|[a-z]+[-_](?:release|version)|ImageMagick-\d)$/;

const deeperFiles = [
	...['certs', 'cert.pem', 'openssl.cnf'].map(name => `/etc/ssl/${name}`),
	...['ca-trust', 'java', 'tls/certs', 'tls/cert.pem', 'tls/openssl.cnf'].map(name => `/etc/pki/${name}`),
	...['m2.conf', 'logging'].map(name => `/etc/maven/${name}`),
] as const;
