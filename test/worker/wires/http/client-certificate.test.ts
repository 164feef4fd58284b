import {createPrivateKey} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {copyFile, mkdtemp, rm, writeFile} from 'node:fs/promises';
import type {TLSSocket} from 'node:tls';
import os from 'node:os';
import path from 'node:path';
import {describe, expect, it, onTestFinished} from 'vitest';
import {loadModel} from '../../../../src/worker/wires/load.ts';
import {openGuarded} from '../../../../src/worker/wires/http/guarded-fetch.ts';
import {textOf} from '../../../../src/worker/wires/http/source.ts';
import {ask, collect} from '../../../helpers/collect.ts';
import {startProxy, startTlsServer, testCA, testUser} from '../../../helpers/proxy-server.ts';

const certificates = {file: {variable: 'SSL_CERT_FILE', path: testCA}};
const clientCertificate = {provider: 'work', ...testUser};

/** A server that answers with the name in the client's certificate, and refuses other clients. */
async function startStrict(): Promise<{readonly url: string; readonly port: number}> {
	return startTlsServer(
		(request, response) => response.end(String((request.socket as TLSSocket).getPeerCertificate().subject.CN)),
		{requestCert: true, rejectUnauthorized: true, ca: readFileSync(testUser.cert)},
	);
}

async function folder(): Promise<string> {
	const made = await mkdtemp(path.join(os.tmpdir(), 'inkpod-client-'));
	onTestFinished(async () => rm(made, {recursive: true, force: true}));
	return made;
}

/** Returns the sentence of a model of the provider `work` at this server. */
async function sentenceAt(baseURL: string, files?: {readonly cert: string; readonly key: string}): Promise<string> {
	const own = files === undefined ? {} : {clientCertificate: {provider: 'work', ...files}};
	const model = await loadModel({
		provider: 'work',
		server: {wire: 'openai-compatible'},
		model: 'm',
		baseURL,
		options: {network: {certificates, ...own}},
	});
	const {error} = await collect(model, ask([{role: 'user', text: 'Hello.'}]));
	expect(error).toMatchObject({reason: 'unreachable', retryable: false});
	return error!.message;
}

describe('a client certificate', () => {
	it('identifies the user, directly and through a tunnel', async () => {
		const server = await startStrict();
		const proxy = await startProxy({port: server.port});
		const proxies = {https: {variable: 'HTTPS_PROXY', value: `http://${proxy.host}`}, exceptions: ''};
		const direct = await openGuarded(server.url, {}, {network: {certificates, clientCertificate}});
		expect(await textOf(direct.source!)).toBe('inkpod test user');
		const network = {certificates, clientCertificate, proxies};
		const tunnelled = await openGuarded('https://api.example.test/', {}, {network});
		expect(await textOf(tunnelled.source!)).toBe('inkpod test user');
	});

	it('is read again for each request, and a connection without it is never used for one with it', async () => {
		const server = await startTlsServer(
			(request, response) => {
				const {subject} = (request.socket as TLSSocket).getPeerCertificate();
				response.end(String(subject?.CN));
			},
			{requestCert: true, rejectUnauthorized: false},
		);
		const home = await folder();
		const files = {cert: path.join(home, 'cert.pem'), key: path.join(home, 'key.pem')};
		const asked = async (network: object) =>
			textOf((await openGuarded(server.url, {}, {network: {certificates, ...network}})).source!);
		const own = {clientCertificate: {provider: 'work', ...files}};
		expect(await asked({})).toBe('undefined');
		await copyFile(testUser.cert, files.cert);
		await copyFile(testUser.key, files.key);
		expect(await asked(own)).toBe('inkpod test user');
		const tls = path.dirname(testUser.cert);
		await copyFile(path.join(tls, 'server.pem'), files.cert);
		await copyFile(path.join(tls, 'server-key.pem'), files.key);
		expect(await asked(own)).toBe('api.example.test');
		expect(await asked({})).toBe('undefined');
	});

	it('is missing with a sentence that names the settings', async () => {
		const {url, port} = await startStrict();
		expect(await sentenceAt(url)).toBe(
			`127.0.0.1:${port} requires a client certificate (ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED). ` +
				'Set cert and key under [providers.work].',
		);
	});

	it('cannot be used with a sentence that says why', async () => {
		const {url} = await startStrict();
		const home = await folder();
		const [text, locked, missing] = ['notes.txt', 'locked.pem', 'missing.pem'].map(name => path.join(home, name));
		await writeFile(text!, 'no certificate');
		const key = createPrivateKey(readFileSync(testUser.key));
		const cipher = {type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret'} as const;
		await writeFile(locked!, key.export(cipher));
		const other = path.join(path.dirname(testUser.key), 'server-key.pem');
		const start = 'The client certificate for work cannot be used: ';
		expect(await sentenceAt(url, {...testUser, cert: missing!})).toBe(
			`${start}${missing} cannot be read (ENOENT).`,
		);
		expect(await sentenceAt(url, {...testUser, key: home})).toBe(`${start}${home} cannot be read (EISDIR).`);
		expect(await sentenceAt(url, {...testUser, cert: text!})).toBe(`${start}${text} contains no certificate.`);
		expect(await sentenceAt(url, {...testUser, key: text!})).toBe(`${start}${text} contains no private key.`);
		expect(await sentenceAt(url, {...testUser, key: locked!})).toBe(
			`${start}the key in ${locked} has a passphrase, and inkpod cannot ask for it.`,
		);
		expect(await sentenceAt(url, {...testUser, key: other})).toBe(
			`${start}the key in ${other} does not match ${testUser.cert}.`,
		);
	});
});

describe('a server’s certificate for another name', () => {
	it('is refused with a sentence that has these names', async () => {
		const server = await startTlsServer((_request, response) => response.end('x'));
		const proxy = await startProxy({port: server.port});
		const proxies = {https: {variable: 'HTTPS_PROXY', value: `http://${proxy.host}`}, exceptions: ''};
		const model = await loadModel({
			provider: 'openai',
			model: 'm',
			apiKey: 'k',
			baseURL: 'https://other.test/v1',
			options: {network: {certificates, proxies}},
		});
		const {error} = await collect(model, ask([{role: 'user', text: 'Hello.'}]));
		expect(error).toMatchObject({
			reason: 'unreachable',
			retryable: false,
			message:
				'The certificate of other.test is for other names (api.example.test, *.example.test, localhost). ' +
				'Check the base URL, and whether a proxy or a login page answers instead.',
		});
	});
});
