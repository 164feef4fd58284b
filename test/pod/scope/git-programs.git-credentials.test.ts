import {describe, expect, it} from 'vitest';
import {mayContainCredentials, textContainsCredentials} from '../../../src/pod/scope/git-programs.ts';

const token = `ghp_${'a'.repeat(36)}`;

describe('a git configuration', () => {
	it.each([
		'[remote "origin"]\n\turl = https://me:secret@github.com/x.git',
		'[remote "origin"]\n\turl = https://me:se%40cret@github.com/x.git',
		'[remote "origin"]\n\tpushurl = http://:secret@host/x',
		`url = https://${token}@github.com/x`,
		`url = https://${token}:@github.com/x`,
		'url = https://x-access-token:abc@github.com/x',
		'url = https://oauth2:glpat-abc@gitlab.com/x',
		'url = https://glpat-abcdefghij@gitlab.com/x',
		`url = https://${'Ab1-'.repeat(8)}@dev.azure.com/x`,
		'[url "https://me:secret@github.com/"]\n\tinsteadOf = https://github.com/',
		'url = "https://me:se"cret@host/x',
		'url = https://me:\\\nsecret@host/x',
		'proxy = socks5://me:secret@proxy:1080',
		'[http "https://github.com/"]\n\textraheader = AUTHORIZATION: basic eDp5',
		'[http]\n  EXTRAHEADER= X-Api-Key: abc',
		'[http]\n extraHeader = PRIVATE-TOKEN: abc',
		'[credential]\n\thelper = "!f() { echo username=me; echo password=abc; }; f"',
		'[http] extraheader = PRIVATE-TOKEN: abc',
		'[http "https://h"]\n\textraheader = CF-Access-Client-Secret: abc',
		'[http "https://h"]\n\textraheader = X-JFrog-Art-Api: abc',
		'[sendemail] smtppass = abc',
		'[svn] password = abc',
		'[credential "https://h"]\n\toauthClientSecret = abc',
		'[gitlab]\n\taccessToken = abc',
		'[tool]\n\tpat = abc',
		`[tool]\n\tlogin = ${token}`,
		'url = https://h/x?sig=abc',
		'[sendemail]\n\tsmtpPass = abc',
		'[github]\n\ttoken = abc',
		'[user]\n\tpassword = abc',
		'u\0r\0l\0=\0h\0t\0t\0p\0s\0:\0/\0/\0m\0e\0:\0s\0@\0h\0',
		'ssh://me:secret@host/x',
		'clone: from https://me:secret@host/x',
	])('is recognised as containing credentials: %s', text => {
		expect(textContainsCredentials(text)).toBe(true);
	});

	it.each([
		'[remote "origin"]\n\turl = https://github.com/me/x.git',
		'[remote "origin"]\n\turl = git@github.com:me/x.git',
		'url = ssh://git@github.com:22/me/x.git',
		'url = https://alice@bitbucket.org/team/x.git',
		'url = https://alice:@bitbucket.org/team/x.git',
		'url = https://host:8443/me@work/x.git',
		'url = file:///home/me:you/x@y',
		'[user]\n\tname = Me\n\temail = me@example.com',
		'[credential]\n\thelper = store',
		'[credential "https://github.com"]\n\thelper = !gh auth git-credential',
		'[http]\n\textraheader = Accept-Language: de',
		'[http]\n\textraheader =',
		'[http]\n\tcookiefile = ~/.gitcookies\n\tsslKey = /x/y',
		'[alias]\n\tpass = log --oneline'.replace('pass', 'past'),
		'[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main',
		'',
	])('is recognised as free of credentials: %s', text => {
		expect(textContainsCredentials(text)).toBe(false);
	});

	it.each([
		'.git/config',
		'x/.git/config',
		'/p/.git/modules/sub/config',
		'.git/worktrees/w/config.worktree',
		'.git/config.worktree',
		'bare.git/config',
		'mirror/config',
		'mirror/logs/refs/heads/main',
		'.git/logs/HEAD',
		'.git/FETCH_HEAD',
		'.gitconfig',
		'.gitconfig.local',
		'.gitconfig-work',
		'/home/me/.config/git/config',
		'/etc/gitconfig',
		'.gitmodules',
		'.git/config.lock',
		'.git/remotes/origin',
		'x/.git/branches/main',
		'.git/config.bak',
		'.gitconfig~',
		'.GIT/Config',
	])('is recognised by its path %s', path => {
		expect(mayContainCredentials(path)).toBe(true);
	});

	it.each([
		'config.ts',
		'src/config.json',
		'.git/HEAD',
		'.git/index',
		'.gitignore',
		'.gitattributes',
		'git/README.md',
		'src/git/config.ts',
		'.github/config.yml',
		'digit/config.ts',
	])('is not recognised by the path %s', path => {
		expect(mayContainCredentials(path)).toBe(false);
	});
});
