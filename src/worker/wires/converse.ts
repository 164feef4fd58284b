import {AwsV4Signer} from 'aws4fetch';
import {noteShortIds, noteTrimmed, noteUnsigned} from './encode/noted-rules.ts';
import {wordIds} from './prompt.ts';
import {encodeConverse, isAnthropic, isMistral} from './encode/converse.ts';
import {createConverseReader} from './reading/converse/converse-reader.ts';
import {readFrames} from './reading/converse/read-frames.ts';
import type {OutgoingRequest} from './transport.ts';
import type {CloudAccess} from './cloud-access.ts';
import type {Server, Wire, WireOptions} from './wire.ts';

/**
Returns the wire of Amazon Bedrock's Converse API, whose answers are streams of binary frames. A request is signed with
the user's keys, or contains a bearer token.
*/
export function bedrock(server: Server, options: WireOptions): Wire {
	const {cloud} = options;
	const {region = '', credentials} = cloud?.kind === 'aws' ? cloud : {};
	return {
		...server,
		options,
		version: undefined,
		dialect: () => ({dataKey: 'amazonBedrock', mergeUser: true, callIds: wordIds}),
		encode: encodeConverse,
		reader: createConverseReader,
		readFrames,
		noteAdditions({messages}, note) {
			const keys = ['amazonBedrock', 'bedrock'];
			noteUnsigned(messages, {note, keys, signedBy: ['signature', 'redactedContent', 'redactedData']});
			noteTrimmed(messages, note);
			if (isAnthropic(options.model)) note('stream_options', 'additionalModelResponseFieldPaths');
			if (isMistral(options.model)) noteShortIds(messages, note);
		},
		headers: key => (credentials === undefined ? bearer(key) : {}),
		...(credentials !== undefined && {sign: async request => signatureOf(request, {region, credentials})}),
	};
}

function bearer(key: string): Readonly<Record<string, string>> {
	return key === '' ? {} : {authorization: `Bearer ${key}`};
}

type AwsAccess = {readonly region: string; readonly credentials: AwsCredentials};
type AwsCredentials = NonNullable<Extract<CloudAccess, {kind: 'aws'}>['credentials']>;

/** Returns the headers of AWS Signature Version 4. They sign the host, the date and the body. */
async function signatureOf(
	{url, body: pieces}: OutgoingRequest,
	{region, credentials}: AwsAccess,
): Promise<Readonly<Record<string, string>>> {
	const body = Buffer.concat(pieces);
	const signer = new AwsV4Signer({url, method: 'POST', body, region, service: 'bedrock', ...credentials});
	const {headers} = await signer.sign();
	return Object.fromEntries([...headers].filter(([name]) => name !== 'host'));
}
