import {createPrivateKey, hash, X509Certificate} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {en} from '../../../language/index.ts';
import {ConnectionProblem} from './connection-problem.ts';
import type {ClientCertificate} from './network.ts';

/** The texts of a client certificate and its private key. Different texts have different ids. */
export type CertificateTexts = {readonly id: string; readonly cert: string; readonly key: string};

/**
Reads the files of a client certificate. The files are read for each request, so that a renewed certificate is used
immediately. Rejects with a `ConnectionProblem`.
*/
export async function readCertificate({provider, cert, key}: ClientCertificate): Promise<CertificateTexts> {
	const problem = (why: string) =>
		new ConnectionProblem(en`The client certificate for ${provider} cannot be used: ${why}`);
	const read = async (path: string) =>
		readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
			throw problem(en`${path} cannot be read (${error.code ?? error.name})`);
		});
	const [certText, keyText] = await Promise.all([read(cert), read(key)]);
	const certificate = madeFrom(certText, text => new X509Certificate(text));
	if (certificate === undefined) throw problem(en`${cert} contains no certificate`);
	const privateKey = madeFrom(keyText, createPrivateKey);
	if (privateKey === undefined) {
		const hasPassphrase = /^(?:-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED)/m.test(keyText);
		throw problem(
			hasPassphrase
				? en`the key in ${key} has a passphrase, and inkpod cannot ask for it`
				: en`${key} contains no private key`,
		);
	}
	if (!certificate.checkPrivateKey(privateKey)) throw problem(en`the key in ${key} does not match ${cert}`);
	return {id: hash('sha256', `${certText}\0${keyText}`), cert: certText, key: keyText};
}

function madeFrom<Value>(text: string, make: (text: string) => Value): Value | undefined {
	try {
		return make(text);
	} catch {
		return undefined;
	}
}
