/**
The user's settings for inkpod's own connections. If they are absent, connections are direct and use the certificates
that Node trusts.
*/
export type Network = {
	readonly proxies?: Proxies;
	readonly certificates?: CertificatePlaces;
	/** The passwords of the proxies, in each form in which a password may appear in a text. */
	readonly secrets?: readonly string[];
	/**
	The client certificate, which is sent to every HTTPS server that requests it. The certificate is set only for
	requests to the provider itself.
	*/
	readonly clientCertificate?: ClientCertificate;
};

export type Proxies = {
	readonly http?: ProxySetting;
	readonly https?: ProxySetting;
	/** The hosts to which connections are direct, separated by commas or spaces. */
	readonly exceptions: string;
};

/** The user's setting for a proxy: an environment variable and its value. */
export type ProxySetting = {readonly variable: string; readonly value: string};

/** The file and the folder with additional trusted certificates. */
export type CertificatePlaces = {readonly file?: PlaceSetting; readonly directory?: PlaceSetting};

export type PlaceSetting = {readonly variable: string; readonly path: string};

/** The paths of the PEM files with the user's client certificate and its private key. */
export type ClientCertificate = {readonly provider: string; readonly cert: string; readonly key: string};
