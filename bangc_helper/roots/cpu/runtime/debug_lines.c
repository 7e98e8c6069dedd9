/* SPDX-License-Identifier: MIT */
#include "debug_lines.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A reader of bytes. Reads past the end give zeros and set `failed`. */
struct bytes {
  const uint8_t *at, *end;
  bool failed;
};

static uint64_t take(struct bytes *bytes, unsigned size) {
  uint64_t value = 0;
  if ((size_t)(bytes->end - bytes->at) < size) {
    bytes->at = bytes->end;
    bytes->failed = true;
    return 0;
  }
  memcpy(&value, bytes->at, size); /* of this machine, which is little-endian */
  bytes->at += size;
  return value;
}

static void skip(struct bytes *bytes, uint64_t size) {
  if ((uint64_t)(bytes->end - bytes->at) < size) {
    bytes->at = bytes->end;
    bytes->failed = true;
  } else {
    bytes->at += size;
  }
}

/* The variable-length numbers of DWARF. */
static uint64_t take_leb(struct bytes *bytes, bool has_sign) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte = 0;
  do {
    byte = (uint8_t)take(bytes, 1);
    if (shift < 64) {
      value |= (uint64_t)(byte & 0x7f) << shift;
    }
    shift += 7;
  } while ((byte & 0x80) != 0 && !bytes->failed);
  if (has_sign && shift < 64 && (byte & 0x40) != 0) {
    value |= ~(uint64_t)0 << shift;
  }
  return value;
}

static const char *take_string(struct bytes *bytes) {
  const char *text = (const char *)bytes->at;
  const uint8_t *end = memchr(bytes->at, 0, (size_t)(bytes->end - bytes->at));
  if (end == NULL) {
    bytes->at = bytes->end;
    bytes->failed = true;
    return "";
  }
  bytes->at = end + 1;
  return text;
}

/* ---- The file ---- */

struct elf_file {
  const uint8_t *data;
  size_t size;
};

/* Empty when the file lacks the section or has it compressed. */
static struct bytes section(const struct elf_file *file, const char *name) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->data;
  const struct bytes none = {file->data, file->data, false};
  const uint64_t table = header->e_shoff;
  if (table % _Alignof(Elf64_Shdr) != 0 || table > file->size ||
      (file->size - table) / sizeof(Elf64_Shdr) < header->e_shnum ||
      header->e_shstrndx >= header->e_shnum) {
    return none;
  }
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(file->data + table);
  const Elf64_Shdr *names = &sections[header->e_shstrndx];
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const Elf64_Shdr *one = &sections[i];
    const bool inside = one->sh_type != SHT_NOBITS && (one->sh_flags & SHF_COMPRESSED) == 0 &&
                        one->sh_offset <= file->size && one->sh_size <= file->size - one->sh_offset;
    const uint64_t at = names->sh_offset + one->sh_name;
    if (inside && at < file->size && file->size - at > strlen(name) &&
        strcmp((const char *)file->data + at, name) == 0) {
      const uint8_t *start = file->data + one->sh_offset;
      return (struct bytes){start, start + one->sh_size, false};
    }
  }
  return none;
}

static bool is_readable_elf(const struct elf_file *file) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)file->data;
  return file->size > sizeof(*header) && memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
         header->e_shentsize == sizeof(Elf64_Shdr);
}

static void find_function(const struct elf_file *file, uintptr_t offset,
                          struct rt_debug_line *line) {
  struct bytes symbols = section(file, ".symtab");
  const struct bytes names = section(file, ".strtab");
  Elf64_Sym symbol;
  while ((size_t)(symbols.end - symbols.at) >= sizeof(symbol)) {
    memcpy(&symbol, symbols.at, sizeof(symbol));
    symbols.at += sizeof(symbol);
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && offset - symbol.st_value < symbol.st_size &&
        symbol.st_name < (uint64_t)(names.end - names.at)) {
      struct bytes name = {names.at + symbol.st_name, names.end, false};
      snprintf(line->function, sizeof(line->function), "%s", take_string(&name));
      return;
    }
  }
}

/* ---- Line tables ---- */

/* Codes of the DWARF standard. */
enum {
  LNS_COPY = 1,
  LNS_ADVANCE_PC = 2,
  LNS_ADVANCE_LINE = 3,
  LNS_SET_FILE = 4,
  LNS_CONST_ADD_PC = 8,
  LNS_FIXED_ADVANCE_PC = 9,
  LNE_END_SEQUENCE = 1,
  LNE_SET_ADDRESS = 2,
  LNCT_PATH = 1,
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_DATA8 = 0x07,
  FORM_STRING = 0x08,
  FORM_BLOCK = 0x09,
  FORM_DATA1 = 0x0b,
  FORM_STRP = 0x0e,
  FORM_UDATA = 0x0f,
  FORM_DATA16 = 0x1e,
  FORM_LINE_STRP = 0x1f,
};

struct line_table {
  const struct elf_file *file;
  unsigned version, offset_size;
  unsigned least_instruction, line_range, opcode_base;
  int line_base;
  const uint8_t *opcode_lengths;
  struct bytes names;   /* directories and files */
  struct bytes program; /* the program that generates the rows */
};

/* Reads the next table of the section; false when there is none. */
static bool take_table(struct bytes *tables, struct line_table *table) {
  uint64_t length = take(tables, 4);
  table->offset_size = 4;
  if (length == 0xffffffffu) {
    length = take(tables, 8);
    table->offset_size = 8;
  }
  if (tables->failed || length > (uint64_t)(tables->end - tables->at)) {
    return false;
  }
  struct bytes unit = {tables->at, tables->at + length, false};
  tables->at = unit.end;
  table->version = (unsigned)take(&unit, 2);
  table->program = (struct bytes){unit.end, unit.end, false};
  if (table->version < 2 || table->version > 5) {
    return true; /* of another standard: no rows */
  }
  if (table->version >= 5) {
    skip(&unit, 2); /* sizes of addresses and segments */
  }
  const uint64_t header = take(&unit, table->offset_size);
  const uint8_t *program = unit.at;
  table->least_instruction = (unsigned)take(&unit, 1);
  skip(&unit, table->version >= 4 ? 2 : 1); /* operations per instruction, default of is_stmt */
  table->line_base = (int8_t)take(&unit, 1);
  table->line_range = (unsigned)take(&unit, 1);
  table->opcode_base = (unsigned)take(&unit, 1);
  table->opcode_lengths = unit.at;
  skip(&unit, table->opcode_base > 0 ? table->opcode_base - 1 : 0);
  table->names = unit;
  if (!unit.failed && header <= (uint64_t)(unit.end - program)) {
    table->program.at = program + header;
  }
  return true;
}

struct row {
  uint64_t address;
  uint64_t file;
  uint64_t line;
};

static void start_sequence(struct row *row) {
  *row = (struct row){.file = 1, .line = 1};
}

/* Applies a special opcode to the address and, if it is one, to the line. */
static void advance(const struct line_table *table, unsigned opcode, bool moves_line,
                    struct row *row) {
  const unsigned adjusted = opcode - table->opcode_base;
  row->address += (uint64_t)(adjusted / table->line_range) * table->least_instruction;
  if (moves_line) {
    row->line += (uint64_t)(int64_t)(table->line_base + (int)(adjusted % table->line_range));
  }
}

/* Runs one instruction of the program. True when it generates a row; *ends: the last one of its
 * sequence. */
static bool step(const struct line_table *table, struct bytes *program, struct row *row,
                 bool *ends) {
  const unsigned opcode = (unsigned)take(program, 1);
  *ends = false;
  if (opcode >= table->opcode_base) {
    advance(table, opcode, true, row);
    return true;
  }
  switch (opcode) {
    case 0: {
      const uint64_t length = take_leb(program, false);
      if (length > (uint64_t)(program->end - program->at)) {
        program->failed = true;
        return false;
      }
      struct bytes extended = {program->at, program->at + length, false};
      program->at = extended.end;
      const unsigned kind = (unsigned)take(&extended, 1);
      if (kind == LNE_SET_ADDRESS) {
        row->address = take(&extended, 8);
      }
      *ends = kind == LNE_END_SEQUENCE;
      return *ends;
    }
    case LNS_COPY:
      return true;
    case LNS_ADVANCE_PC:
      row->address += take_leb(program, false) * table->least_instruction;
      return false;
    case LNS_ADVANCE_LINE:
      row->line += take_leb(program, true);
      return false;
    case LNS_SET_FILE:
      row->file = take_leb(program, false);
      return false;
    case LNS_CONST_ADD_PC:
      advance(table, 255, false, row);
      return false;
    case LNS_FIXED_ADVANCE_PC:
      row->address += take(program, 2);
      return false;
    default:
      for (unsigned i = table->opcode_lengths[opcode - 1]; i > 0; --i) {
        take_leb(program, false);
      }
      return false;
  }
}

/* The row whose code holds the offset. */
static bool find_row(const struct line_table *table, uintptr_t offset, struct row *found) {
  struct bytes program = table->program;
  struct row row, last;
  bool has_last = false;
  start_sequence(&row);
  while (program.at < program.end && !program.failed && table->line_range != 0) {
    bool ends = false;
    if (!step(table, &program, &row, &ends)) {
      continue;
    }
    if (has_last && last.address <= offset && offset < row.address) {
      *found = last;
      return true;
    }
    /* Line 0 is code that the compiler added. */
    last = row.line == 0 && has_last ? (struct row){row.address, last.file, last.line} : row;
    has_last = !ends;
    if (ends) {
      start_sequence(&row);
    }
  }
  return false;
}

/* Reads or skips one value of an entry's description; NULL if it is not text. */
static const char *take_form(const struct line_table *table, struct bytes *names, uint64_t form) {
  switch (form) {
    case FORM_STRING:
      return take_string(names);
    case FORM_LINE_STRP:
    case FORM_STRP: {
      struct bytes texts =
          section(table->file, form == FORM_STRP ? ".debug_str" : ".debug_line_str");
      skip(&texts, take(names, table->offset_size));
      return take_string(&texts);
    }
    case FORM_UDATA:
      take_leb(names, false);
      break;
    case FORM_BLOCK:
      skip(names, take_leb(names, false));
      break;
    case FORM_DATA1:
    case FORM_DATA2:
    case FORM_DATA4:
    case FORM_DATA8:
    case FORM_DATA16:
      skip(names, form == FORM_DATA1   ? 1
                  : form == FORM_DATA2 ? 2
                  : form == FORM_DATA4 ? 4
                  : form == FORM_DATA8 ? 8
                                       : 16);
      break;
    default:
      names->failed = true;
  }
  return NULL;
}

/* The path of an entry by number, in a version 5 list of directories or files. */
static const char *find_entry(const struct line_table *table, struct bytes *names,
                              uint64_t number) {
  const struct bytes formats = {names->at + 1, names->end, false};
  const unsigned format_count = (unsigned)take(names, 1);
  for (unsigned i = 0; i < 2 * format_count; ++i) {
    take_leb(names, false);
  }
  const uint64_t count = take_leb(names, false);
  const char *path = NULL;
  for (uint64_t entry = 0; entry < count && !names->failed; ++entry) {
    struct bytes format = formats;
    for (unsigned i = 0; i < format_count; ++i) {
      const uint64_t kind = take_leb(&format, false);
      const char *text = take_form(table, names, take_leb(&format, false));
      if (kind == LNCT_PATH && entry == number) {
        path = text;
      }
    }
  }
  return path;
}

static const char *find_file(const struct line_table *table, uint64_t number) {
  struct bytes names = table->names;
  if (table->version >= 5) {
    find_entry(table, &names, UINT64_MAX); /* the directories */
    return find_entry(table, &names, number);
  }
  while (*take_string(&names) != '\0' && !names.failed) {
  }
  for (uint64_t i = 1; !names.failed; ++i) {
    const char *name = take_string(&names);
    if (*name == '\0' || i == number) {
      return *name != '\0' ? name : NULL;
    }
    for (int k = 0; k < 3; ++k) { /* directory, time, length */
      take_leb(&names, false);
    }
  }
  return NULL;
}

static void find_line(const struct elf_file *file, uintptr_t offset, struct rt_debug_line *line) {
  struct bytes tables = section(file, ".debug_line");
  struct line_table table = {.file = file};
  struct row row;
  while (tables.at < tables.end && take_table(&tables, &table)) {
    if (!find_row(&table, offset, &row)) {
      continue;
    }
    const char *name = find_file(&table, row.file);
    if (name != NULL) {
      /* Some compilers name a file relative to a folder far above it. */
      const char *slash = strrchr(name, '/');
      snprintf(line->file, sizeof(line->file), "%s", slash != NULL ? slash + 1 : name);
      line->line = (unsigned)row.line;
    }
    return;
  }
}

void rt_debug_line_find(const char *path, uintptr_t offset, struct rt_debug_line *line) {
  memset(line, 0, sizeof(*line));
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return;
  }
  void *data = MAP_FAILED;
  const off_t size = lseek(descriptor, 0, SEEK_END);
  if (size > 0) {
    data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  }
  close(descriptor);
  if (data == MAP_FAILED) {
    return;
  }
  const struct elf_file file = {data, (size_t)size};
  if (is_readable_elf(&file)) {
    find_function(&file, offset, line);
    find_line(&file, offset, line);
  }
  munmap(data, (size_t)size);
}
