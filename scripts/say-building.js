// The first step of a build: it takes some seconds. On standard error: what a command prints may be read by a program.
process.stderr.write('building…\n');
