#!/bin/sh
# Prepare a machine for the hub, as root, when there are accounts; run it again after new ones.
# The values are those of jupyterhub_config.py.
set -eu
PROJECT=${PROJECT:-/opt/allyouneed}
COURSE=${COURSE:-spring-2027}
PLACE=${PLACE:-/srv/course}
MEMBERS=${MEMBERS:-course}
STAFF=${STAFF:-course-staff}

for group in "$MEMBERS" "$STAFF"; do
  getent group "$group" >/dev/null || groupadd "$group"
done

# The exchange is writable for everybody, as nbgrader asks, but nobody can move what
# belongs to another. Only members pass the folder above it.
mkdir -p "$PLACE/exchange" "$PLACE/hub"
chown "root:$MEMBERS" "$PLACE"
chmod 750 "$PLACE"
chmod 1777 "$PLACE/exchange"
chmod 700 "$PLACE/hub"

# The course's own folder there is the first instructor's, before anybody else can make it.
first=$(getent group "$STAFF" | cut -d: -f4 | cut -d, -f1)
if [ -n "$first" ] && [ ! -e "$PLACE/exchange/$COURSE" ]; then
  install -d -o "$first" -g "$(id -gn "$first")" -m 755 "$PLACE/exchange/$COURSE"
fi

# Solutions and rubrics, and the history that holds them, are for instructors.
for name in solutions .git; do
  if [ -e "$PROJECT/$name" ]; then
    chgrp "$STAFF" "$PROJECT/$name"
    chmod 750 "$PROJECT/$name"
  fi
done

# Homes of members are closed.
for user in $(getent group "$MEMBERS" "$STAFF" | cut -d: -f4 | tr ',' '\n' | sort -u); do
  chmod 700 "$(getent passwd "$user" | cut -d: -f6)"
done
echo "The exchange is $PLACE/exchange. Members: $(getent group "$MEMBERS" | cut -d: -f4)"
