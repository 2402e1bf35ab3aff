"""Writes table.rs: python3 generate.py table.rs"""
import html.entities
import sys
table=html.entities.html5
names=sorted(table)
out=open(sys.argv[1], 'w')
out.write('''//! The names of character references and what they stand for, sorted by name. Made by `generate.py` beside
//! this file from the facts in Python's `html.entities.html5`; not edited by hand.

#[rustfmt::skip]
pub(super) static REFERENCES: [(&str, &str); %d] = [
'''%len(names))
def lit(v):
    return '"'+''.join('\\u{%x}'%ord(c) for c in v)+'"'
line='   '
for n in names:
    item=' ("%s", %s),'%(n,lit(table[n]))
    if len(line)+len(item)>118:
        out.write(line+'\n'); line='   '
    line+=item
out.write(line+'\n];\n')
