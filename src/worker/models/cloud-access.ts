/** How a cloud knows the user, where one key does not say it all. Never stored. */
export type CloudAccess =
	| {
			readonly kind: 'aws';
			readonly region: string;
			/** Absent: the API key is used. */
			readonly credentials?: AwsCredentials;
	  }
	/** `file`: the JSON of a service account, or of a user who logged in with gcloud. */
	| {readonly kind: 'google'; readonly file: string};

export type AwsCredentials = {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	readonly sessionToken?: string;
};

/** Returns the secrets that may not appear in any text. */
export function cloudSecrets(access: CloudAccess | undefined): readonly string[] {
	if (access?.kind !== 'aws' || access.credentials === undefined) return [];
	const {secretAccessKey, sessionToken = ''} = access.credentials;
	return [secretAccessKey, sessionToken].filter(secret => secret !== '');
}
