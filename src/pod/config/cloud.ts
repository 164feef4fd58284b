import {join} from 'node:path';
import type {Told} from '../../language/index.ts';
import {shownUrl, type CloudAccess, type WireName} from '../../worker/index.ts';
import {homeOf, type Env} from '../ground/env/env.ts';
import * as texts from './texts.ts';

/** The settings that inkpod needs for a cloud in addition to a key: the cloud's address and the user's identity. */
type Cloud =
	| {readonly ok: true; readonly baseURL?: string; readonly cloud?: CloudAccess}
	| {readonly ok: false; readonly why: Told};

/** The user's settings for the server. */
type Written = {
	readonly env: Env;
	readonly hasKey: boolean;
	/** The address of the cloud's server, from its environment variable or from the configuration. */
	readonly baseURL: string | undefined;
};

/** Reads the environment variables of a cloud. Returns `undefined` if the wire does not belong to a cloud. */
export function cloudOf(wire: WireName, written: Written): Cloud | undefined {
	if (wire === 'azure') return azure(written);
	if (wire === 'bedrock') return bedrock(written);
	return wire === 'vertex' ? vertex(written) : undefined;
}

/**
Returns the address of version 1 of Azure's API, or of an older API if the user set a date as the version. If an address
already has a path, the function keeps this path.
*/
function azure({env, baseURL}: Written): Cloud {
	const resource = valueOf(env, 'AZURE_RESOURCE_NAME');
	if (baseURL === undefined && resource === undefined) return {ok: false, why: texts.needsAzureAddress};
	if (baseURL === undefined && !isName(resource)) return {ok: false, why: texts.notAName('AZURE_RESOURCE_NAME')};
	const url = URL.parse(baseURL ?? `https://${resource}.openai.azure.com`);
	if (url === null) return {ok: false, why: texts.badAddress('AZURE_OPENAI_ENDPOINT', shownUrl(baseURL ?? ''))};
	const version = valueOf(env, 'AZURE_OPENAI_API_VERSION', 'OPENAI_API_VERSION');
	const isDated = version !== undefined && /^\d{4}-/.test(version);
	if (/^\/(?:openai\/?)?$/.test(url.pathname)) url.pathname = isDated ? '/openai' : '/openai/v1';
	if (version !== undefined && !url.searchParams.has('api-version')) url.searchParams.set('api-version', version);
	return {ok: true, baseURL: url.href};
}

function bedrock({env, hasKey, baseURL}: Written): Cloud {
	const region = valueOf(env, 'AWS_REGION', 'AWS_DEFAULT_REGION');
	if (region === undefined) return {ok: false, why: texts.needsRegion};
	if (!isName(region)) return {ok: false, why: texts.notAName('AWS_REGION')};
	const accessKeyId = valueOf(env, 'AWS_ACCESS_KEY_ID');
	const secretAccessKey = valueOf(env, 'AWS_SECRET_ACCESS_KEY');
	const sessionToken = valueOf(env, 'AWS_SESSION_TOKEN');
	const isIdentified = accessKeyId !== undefined && secretAccessKey !== undefined;
	if (!hasKey && !isIdentified) return {ok: false, why: texts.needsAwsKeys};
	const credentials =
		!hasKey && isIdentified
			? {accessKeyId, secretAccessKey, ...(sessionToken !== undefined && {sessionToken})}
			: undefined;
	const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
	return {
		ok: true,
		baseURL: baseURL ?? `https://bedrock-runtime.${region}.${suffix}`,
		cloud: {kind: 'aws', region, ...(credentials !== undefined && {credentials})},
	};
}

/** Returns the address of Google Vertex AI. With a key (express mode), the address does not contain a project. */
function vertex({env, hasKey, baseURL}: Written): Cloud {
	if (hasKey) return {ok: true, baseURL: baseURL ?? 'https://aiplatform.googleapis.com/v1/publishers/google'};
	const project = valueOf(env, 'GOOGLE_VERTEX_PROJECT', 'GOOGLE_CLOUD_PROJECT');
	const location = valueOf(env, 'GOOGLE_VERTEX_LOCATION', 'GOOGLE_CLOUD_LOCATION') ?? 'global';
	if (baseURL === undefined && project === undefined) return {ok: false, why: texts.needsProject};
	if (baseURL === undefined && !/^[\w.:-]+$/.test(project ?? ''))
		return {ok: false, why: texts.notAName('GOOGLE_VERTEX_PROJECT')};
	if (!isName(location)) return {ok: false, why: texts.notAName('GOOGLE_VERTEX_LOCATION')};
	const path = `v1beta1/projects/${project}/locations/${location}/publishers/google`;
	const file =
		valueOf(env, 'GOOGLE_APPLICATION_CREDENTIALS') ??
		join(homeOf(env), '.config/gcloud/application_default_credentials.json');
	return {
		ok: true,
		baseURL: baseURL ?? `https://${vertexHost(location)}/${path}`,
		cloud: {kind: 'google', file},
	};
}

function vertexHost(location: string): string {
	if (location === 'global') return 'aiplatform.googleapis.com';
	if (location === 'eu' || location === 'us') return `aiplatform.${location}.rep.googleapis.com`;
	return `${location}-aiplatform.googleapis.com`;
}

/** Tells whether a text is one label of a host name. Any other text could send the key to another host. */
function isName(text: string | undefined): boolean {
	return text !== undefined && /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i.test(text);
}

function valueOf(env: Env, ...names: readonly string[]): string | undefined {
	return names.map(name => env[name]?.trim()).find(value => value !== undefined && value !== '');
}
