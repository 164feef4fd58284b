/** How a cloud identifies the user, where a single key is not enough. This value is never stored. */
export type CloudAccess =
	| {
			readonly kind: 'aws';
			readonly region: string;
			/** If absent, the API key is used. */
			readonly credentials?: AwsCredentials;
	  }
	/** `file`: the path of the JSON file of a service account, or of a user who logged in with gcloud. */
	| {readonly kind: 'google'; readonly file: string};

type AwsCredentials = {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	readonly sessionToken?: string;
};

/** Returns the secrets that must not appear in any text. */
export function cloudSecrets(access: CloudAccess | undefined): readonly string[] {
	if (access?.kind !== 'aws' || access.credentials === undefined) return [];
	const {secretAccessKey, sessionToken = ''} = access.credentials;
	return [secretAccessKey, sessionToken].filter(secret => secret !== '');
}
