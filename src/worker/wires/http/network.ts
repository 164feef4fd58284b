/**
How inkpod's own connections leave this machine. If absent, connections are direct and use the certificates that Node
trusts.
*/
export type Network = {
	readonly proxies?: Proxies;
	readonly certificates?: CertificatePlaces;
	/** The passwords of the proxies, in each form in which a password may appear in a text. */
	readonly secrets?: readonly string[];
	/** It is sent to every HTTPS server that asks for it. Only requests to the provider itself have it. */
	readonly clientCertificate?: ClientCertificate;
};

export type Proxies = {
	readonly http?: ProxySetting;
	readonly https?: ProxySetting;
	/** The hosts that are reached directly, separated by commas or spaces. */
	readonly exceptions: string;
};

/** A proxy as the user wrote it. */
export type ProxySetting = {readonly variable: string; readonly value: string};

/** More trusted certificates, each with the variable that names the place. */
export type CertificatePlaces = {readonly file?: PlaceSetting; readonly directory?: PlaceSetting};

export type PlaceSetting = {readonly variable: string; readonly path: string};

/** The paths of PEM files with the certificate that shows who the user is, and with its key. */
export type ClientCertificate = {readonly provider: string; readonly cert: string; readonly key: string};
