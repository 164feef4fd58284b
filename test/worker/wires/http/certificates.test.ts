import {X509Certificate} from 'node:crypto';
import {copyFile, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import {getCACertificates} from 'node:tls';
import {describe, expect, it, onTestFinished} from 'vitest';
import {trustCertificates} from '../../../../src/worker/wires/http/certificates.ts';
import {openGuarded} from '../../../../src/worker/wires/http/guarded-fetch.ts';
import {textOf} from '../../../../src/worker/wires/http/source.ts';
import {loadModel} from '../../../../src/worker/wires/load.ts';
import {startTlsServer, testCA} from '../../../helpers/proxy-server.ts';

async function folder(): Promise<string> {
	const made = await mkdtemp(path.join(os.tmpdir(), 'inkpod-ca-'));
	onTestFinished(async () => rm(made, {recursive: true, force: true}));
	return made;
}

const file = (name: string) => ({file: {variable: 'SSL_CERT_FILE', path: name}});

// The first test runs before any certificate is trusted: what is trusted stays so for the process.
describe('the user’s certificates', () => {
	it('are mentioned, with the ignored file, when a server is not trusted', async () => {
		const server = await startTlsServer((_request, response) => response.end('secure'));
		const missing = path.join(await folder(), 'missing.pem');
		const sentences: string[] = [];
		for (const network of [undefined, {certificates: file(missing)}]) {
			const model = await loadModel({
				provider: 'openai',
				model: 'm',
				apiKey: 'k',
				baseURL: server.url,
				...(network !== undefined && {options: {network}}),
			});
			const request = {prompt: '', tools: [], messages: [], settings: {}};
			for await (const event of model.stream(request, new AbortController().signal))
				if (event.type === 'error') sentences.push(event.error.message.replace(/127.0.0.1:\d+/, 'HOST'));
		}
		const start = 'The certificate of HOST was not accepted (UNABLE_TO_VERIFY_LEAF_SIGNATURE). ';
		expect(sentences).toEqual([
			`${start}If your network has its own certificate authority, set NODE_EXTRA_CA_CERTS or SSL_CERT_FILE to its file.`,
			`${start}SSL_CERT_FILE is ignored: ${missing} cannot be read (ENOENT).`,
		]);
	});

	it('are refused with a sentence when they cannot be used, and the usual ones stay', async () => {
		const home = await folder();
		await writeFile(path.join(home, 'empty.pem'), 'no certificate');
		const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
		await writeFile(path.join(home, 'broken.pem'), broken);
		await mkdir(path.join(home, 'empty'));
		const before = getCACertificates('default').length;
		const problems = [
			...(await trustCertificates(file(path.join(home, 'empty.pem')))),
			...(await trustCertificates(file(path.join(home, 'broken.pem')))),
			...(await trustCertificates(file(home))),
			...(await trustCertificates({
				directory: {variable: 'SSL_CERT_DIR', path: path.join(home, 'empty')},
			})),
		];
		expect(problems.map(text => text.replace(home, '~'))).toEqual([
			'SSL_CERT_FILE is ignored: ~/empty.pem contains no certificate.',
			'SSL_CERT_FILE is ignored: ~/broken.pem contains no certificate.',
			'SSL_CERT_FILE is ignored: ~ cannot be read (EISDIR).',
			'SSL_CERT_DIR is ignored: ~/empty contains no certificate.',
		]);
		expect(getCACertificates('default')).toHaveLength(before);
	});

	it('are added to the usual ones, from a file or a folder', async () => {
		const server = await startTlsServer((_request, response) => response.end('secure'));
		const home = await folder();
		await copyFile(testCA, path.join(home, 'own.crt'));
		await writeFile(path.join(home, 'notes.txt'), 'not a certificate');
		const before = getCACertificates('default').length;
		const network = {certificates: {directory: {variable: 'SSL_CERT_DIR', path: home}}};
		expect(await textOf((await openGuarded(server.url, {}, {network})).source!)).toBe('secure');
		const subjects = getCACertificates('default').map(pem => new X509Certificate(pem).subject);
		expect(subjects).toContain('CN=inkpod test CA');
		expect(subjects.length).toBeGreaterThan(before / 2);
		expect(await trustCertificates(file(testCA))).toEqual([]);
	});
});
