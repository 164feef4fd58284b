import {en} from '../../../language/index.ts';
import {X509Certificate} from 'node:crypto';
import {readdir, readFile, stat} from 'node:fs/promises';
import {delimiter, join} from 'node:path';
import {getCACertificates, setDefaultCACertificates} from 'node:tls';
import type {CertificatePlaces, PlaceSetting} from './network.ts';

/**
Makes every later connection of this process also trust the user's certificates. (Node reads NODE_EXTRA_CA_CERTS by
itself.) Resolves to a sentence for each file or folder that cannot be used. Each of them is read only once.
*/
export async function trustCertificates({file, directory}: CertificatePlaces): Promise<readonly string[]> {
	const id = `${file?.path}\0${directory?.path}`;
	const begun = trusted.get(id) ?? addCertificates(file, directory);
	trusted.set(id, begun);
	return begun;
}

const trusted = new Map<string, Promise<readonly string[]>>();

async function addCertificates(
	file: PlaceSetting | undefined,
	directory: PlaceSetting | undefined,
): Promise<readonly string[]> {
	const read = await Promise.all([
		file === undefined ? nothing : ofPlace(file, async () => ofFile(file.path)),
		directory === undefined ? nothing : ofPlace(directory, async () => ofDirectory(directory.path)),
	]);
	const certificates = read.flatMap(place => place.certificates);
	if (certificates.length > 0) setDefaultCACertificates([...getCACertificates('default'), ...certificates]);
	return read.flatMap(place => place.problems);
}

type Found = {readonly certificates: readonly string[]; readonly problems: readonly string[]};

const nothing: Found = {certificates: [], problems: []};

async function ofPlace({variable, path}: PlaceSetting, read: () => Promise<readonly string[]>): Promise<Found> {
	const problem = (sentence: string) => ({certificates: [], problems: [sentence]});
	try {
		const certificates = await read();
		return certificates.length === 0
			? problem(en`${variable} is ignored: ${path} contains no certificate.`)
			: {certificates, problems: []};
	} catch (error) {
		const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
		return problem(en`${variable} is ignored: ${path} cannot be read (${code}).`);
	}
}

async function ofFile(path: string): Promise<readonly string[]> {
	const {size} = await stat(path);
	if (size > maxBytes) throw Object.assign(new Error('too large'), {code: 'EFBIG'});
	return ((await readFile(path, 'latin1')).match(pem) ?? []).filter(isCertificate);
}

const maxBytes = 16 * 1024 * 1024;
const pem = /-----BEGIN CERTIFICATE-----[A-Za-z\d+/=\s]+-----END CERTIFICATE-----/g;

/**
Reads the certificates in the folders of a path, which are separated as in PATH. Like OpenSSL, skips files that cannot
be read.
*/
async function ofDirectory(path: string): Promise<readonly string[]> {
	const files: string[] = [];
	for (const folder of path.split(delimiter).filter(name => name !== ''))
		files.push(...(await readdir(folder)).slice(0, maxFiles).map(name => join(folder, name)));
	const read = await Promise.all(files.map(async file => ofFile(file).catch(() => [])));
	return [...new Set(read.flat())];
}

const maxFiles = 2000;

function isCertificate(text: string): boolean {
	try {
		return new X509Certificate(text).raw.length > 0;
	} catch {
		return false;
	}
}
